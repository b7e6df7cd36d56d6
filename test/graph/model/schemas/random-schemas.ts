import fc from 'fast-check'
import {
  counter,
  date,
  edge,
  embedded,
  type Graph,
  GraphError,
  graph,
  integer,
  type Layout,
  layout,
  node,
  set,
  string,
} from '../../../../src/index.js'
import type { AnyType } from '../../../../src/schema/graph.js'
import { computed } from '../../../../src/schema/transformed/index.js'
import { COMPUTED } from '../reference/computed-values.js'
import { nodePaths, type PathChoices, type PathName } from './node-paths.js'

/** A random graph and the choices that determined it. */
export interface Schema {
  readonly graph: Graph<AnyType, boolean>
  /** The layout, if it has custom keys. */
  readonly layout?: Layout | undefined
  readonly choices: SchemaChoices
  /** A failure message shows only the choices, because everything else follows from them. */
  [fc.toStringMethod](): string
}

interface NodeChoices extends PathChoices {
  readonly id: 'text' | 'whole' | 'several'
  readonly sizeOptional: boolean
  readonly unique: boolean
  readonly stored: boolean
  /** Whether the unique attribute is computed. */
  readonly computed: boolean
}

type EndWay = 'adjacent' | 'index' | 'inverted' | 'mirror' | 'local' | 'native' | 'none'

export interface EndChoices {
  readonly as: EndWay | undefined
  readonly order: 'default' | 'since' | 'weight and end' | 'end'
  readonly shards: number
  readonly count: boolean
  readonly sum: boolean
  readonly embed: boolean
  readonly carry: 'nothing' | 'born' | 'id'
  readonly onDelete: 'leave' | 'cascade' | 'refuse'
  /** Whether counters and sums have a second target with a different selection, and its maintainer. */
  readonly second: 'none' | 'alike' | 'by transaction'
  /** Whether edges maintain the counters and the map; otherwise they are only declared. */
  readonly fed: boolean
}

interface EdgeChoices {
  readonly from: number
  readonly to: number
  readonly key: readonly ('kind' | 'lap')[]
  readonly one: 'a' | 'b' | undefined
  readonly undirected: boolean
  readonly a: EndChoices
  readonly b: EndChoices
  readonly max: number
  /** Whether counters have a selection. */
  readonly some: boolean
  /** Whether the stream maintains the counters and the mutable copies. */
  readonly streamed: boolean
  /** Whether the weight is computed. */
  readonly computed: boolean
}

export interface SchemaChoices {
  readonly tenant: boolean
  readonly nodes: readonly NodeChoices[]
  /** The number of nodes, counted from the last, that are owned by the node before. */
  readonly owned: number
  readonly edges: readonly EdgeChoices[]
}

/** Chooses the usual value in three of five cases; failures shrink to it. */
const often = <T>(usual: T, ...others: T[]) =>
  fc.constantFrom(...Array.from({ length: Math.ceil(others.length * 1.5) }, () => usual), ...others)
const seldom = fc.nat({ max: 3 }).map(drawn => drawn === 3)

const nodeChoices: fc.Arbitrary<NodeChoices> = fc.record({
  id: often<NodeChoices['id']>('text', 'whole', 'several'),
  sizeOptional: fc.boolean(),
  unique: seldom,
  paths: fc.subarray<PathName>(['place', 'sized', 'dated', 'tagged', 'near', 'ranked', 'best'], { maxLength: 3 }),
  byOwner: fc.boolean(),
  shards: fc.integer({ min: 1, max: 3 }),
  stored: seldom,
  computed: seldom,
})

const endChoices: fc.Arbitrary<EndChoices> = fc.record({
  as: often<EndWay | undefined>(undefined, 'adjacent', 'index', 'inverted', 'mirror', 'local', 'native', 'none'),
  order: often<EndChoices['order']>('default', 'since', 'weight and end', 'end'),
  shards: often(1, 2, 3),
  count: seldom,
  sum: seldom,
  embed: seldom,
  carry: often<EndChoices['carry']>('nothing', 'born', 'id'),
  onDelete: fc.nat({ max: 7 }).map(drawn => (['cascade', 'refuse'] as const)[7 - drawn] ?? 'leave'),
  second: fc.constantFrom('none', 'alike', 'by transaction'),
  fed: fc.constant(true),
})

const edgeChoices = (streamed: boolean): fc.Arbitrary<EdgeChoices> =>
  fc.record({
    from: fc.nat({ max: 3 }),
    to: fc.nat({ max: 3 }),
    key: often<EdgeChoices['key']>([], ['kind'], ['lap', 'kind']),
    one: often<EdgeChoices['one']>(undefined, 'a', 'b'),
    undirected: seldom,
    a: endChoices,
    b: endChoices,
    max: fc.integer({ min: 1, max: 3 }),
    some: seldom,
    streamed: streamed ? often(true, false) : fc.constant(false),
    computed: seldom,
  })

export const schemaChoices = (streamed: boolean): fc.Arbitrary<SchemaChoices> =>
  fc.record({
    tenant: seldom,
    nodes: fc.array(nodeChoices, { minLength: 2, maxLength: 4 }),
    owned: fc.nat({ max: 2 }),
    edges: fc.array(edgeChoices(streamed), { minLength: 1, maxLength: 3 }),
  })

/** Random graphs with all storage options. Combinations that a declaration rejects are excluded. */
const schemas = (streamed: boolean): fc.Arbitrary<Schema> =>
  schemaChoices(streamed)
    .map(schemaOf)
    .filter((made): made is Schema => made.graph !== undefined)

export const schemaOf = (choices: SchemaChoices) => ({
  choices,
  graph: declarable(choices),
  [fc.toStringMethod]: () => fc.stringify(choices),
})

export const anySchema = schemas(false)

/** Random graphs with stream data. */
export const anyStreamedSchema = schemas(true)

/** DynamoDB supports four attributes in a multi-attribute key. A local order applies only within the partition. */
function isServed({ design: { indexes }, accesses }: Layout): boolean {
  const isLocal = (name: string | undefined) => indexes.some(index => index.name === name && index.kind === 'local')
  return (
    indexes.every(({ partition, sort }) => partition.length <= 4 && sort.length <= 4) &&
    accesses.every(({ method, index }) => method !== 'local' || isLocal(index))
  )
}

const UNDECLARABLE = ['path.way', 'layout.path', 'layout.native', 'edge.undirected']

function declarable(choices: SchemaChoices): Graph<AnyType, boolean> | undefined {
  try {
    const made = declare(choices)
    return isServed(layout(made)) ? made : undefined
  } catch (error) {
    if (error instanceof GraphError && UNDECLARABLE.includes(error.code)) return undefined
    throw error
  }
}

const NODE_NAMES = ['user', 'thing', 'part', 'leaf']
const EDGE_NAMES = ['likes', 'holds', 'meets']

/** Declarations have static types; random declarations have none. */
const declareNode = node as (name: string, attributes: object, options: object) => AnyType
const declareEdge = edge as (name: string, ends: object, attributes: object, options: object) => AnyType

function declare(choices: SchemaChoices): Graph<AnyType, boolean> {
  const edges = choices.edges.map(each => withEnds(each, choices.nodes.length))
  const nodes: AnyType[] = []
  for (const [i, each] of choices.nodes.entries()) {
    const owner = i > 0 && i >= choices.nodes.length - choices.owned ? nodes[i - 1] : undefined
    const attributes = nodeAttributes(each, i, edges)
    const counters = Object.keys(attributes).filter(name => /_(count|sum)$/.test(name))
    nodes.push(declareNode(NODE_NAMES[i]!, attributes, nodeOptions(each, owner, counters)))
  }
  const made = edges.map((each, i) => madeEdge(each, EDGE_NAMES[i]!, nodes))
  return graph('any', [...nodes, ...made], { tenant: choices.tenant })
}

/** Chooses the ends among the nodes. An inverted index supports mirrors sorted only by the ends. */
export function withEnds(choices: EdgeChoices, nodes: number): EdgeChoices {
  const { undirected } = choices
  const from = choices.from % nodes
  const made = {
    ...choices,
    from,
    to: undirected ? from : choices.to % nodes,
    a: choices.streamed ? onTable(findable(choices.a)) : findable(choices.a),
    b: choices.streamed ? onTable(findable(choices.b)) : findable(choices.b),
  }
  const end = undirected ? undefined : (['a', 'b'] as const).find(each => choices[each].as === 'inverted')
  // The two ends of an undirected edge are read together, which these storage options do not support.
  if (undirected && (['native', 'inverted', 'local'] as unknown[]).includes(made.a.as))
    return { ...made, a: { ...made.a, as: undefined } }
  if (!end) return made
  const plain = { order: 'default', shards: 1 } as const
  const other = end === 'a' ? 'b' : 'a'
  return {
    ...made,
    key: [],
    one: undefined,
    [end]: { ...made[end], ...plain },
    [other]: { ...made[other], ...plain, as: undefined },
  }
}

/** Stream data requires items that are read from the table itself. */
const onTable = (end: EndChoices): EndChoices => {
  const needs = end.count || end.sum || end.carry === 'born'
  return needs && !['adjacent', 'mirror', 'local'].includes(end.as ?? '') ? { ...end, as: undefined } : end
}

const findable = (end: EndChoices): EndChoices => ({
  ...end,
  // Edges without a path cannot be deleted with their node.
  onDelete: end.as === 'none' ? 'leave' : end.onDelete,
})

function nodeAttributes(choices: NodeChoices, at: number, edges: readonly EdgeChoices[]): object {
  const { id, sizeOptional, stored, computed: isComputed } = choices
  const size = integer()
  const name = string().optional()
  const from = { name, size: size.optional() }
  return {
    ...(id !== 'whole' && { id: string() }),
    ...(id !== 'text' && { no: integer() }),
    name: stored ? name.stored('title') : name,
    size: sizeOptional ? size.optional() : size,
    day: date().optional(),
    tags: set(string()).optional(),
    born: integer().immutable(),
    mail: isComputed ? computed(string().optional(), from, COMPUTED.mail as () => string) : string().optional(),
    rank: integer({ min: -9, max: 99 }).optional(),
    ...Object.assign({}, ...edges.map((each, i) => derivedAttributes(each, EDGE_NAMES[i]!, at))),
  }
}

/** The counters and maps of an edge in a node. */
function derivedAttributes(choices: EdgeChoices, name: string, at: number): object {
  const kept = keptEnds(choices).filter(([end]) => (end === 'a' ? choices.from : choices.to) === at)
  return Object.assign(
    {},
    ...kept.map(([end, { count, sum, second, embed, carry }]) => ({
      ...(count && { [`${name}_${end}_count`]: counter() }),
      ...(sum && { [`${name}_${end}_sum`]: counter() }),
      ...(second !== 'none' && count && { [`${name}_${end}_other_count`]: counter() }),
      ...(second !== 'none' && sum && { [`${name}_${end}_other_sum`]: counter() }),
      ...(embed && {
        [`${name}_${end}_map`]: embedded(
          carry !== 'born'
            ? { weight: integer() }
            : choices.streamed
              ? { weight: integer(), [`${end}Name`]: string().optional() }
              : { weight: integer(), [`${end}Born`]: integer() },
        ),
      }),
    })),
  )
}

/** The options of the first end of an undirected edge apply to both; an undirected edge carries nothing. */
function keptEnds({ undirected, a, b }: EdgeChoices): ['a' | 'b', EndChoices][] {
  return undirected
    ? [['a', { ...a, carry: 'nothing' }]]
    : [
        ['a', a],
        ['b', b],
      ]
}

function nodeOptions(choices: NodeChoices, owner: AnyType | undefined, counters: readonly string[]): object {
  const { id, unique } = choices
  return {
    id: id === 'several' ? ['id', 'no'] : id === 'text' ? 'id' : 'no',
    ...(owner && { within: owner, onDelete: 'leave' }),
    ...(unique && { unique: ['mail'] }),
    by: nodePaths(choices, owner?.name, counters[0]),
  }
}

function madeEdge(choices: EdgeChoices, name: string, nodes: readonly AnyType[]): AnyType {
  const { from, to, key, one, undirected, max, some, streamed } = choices
  const since = date()
  const note = string().optional()
  const attributes = {
    since,
    weight: choices.computed ? computed(integer(), { since, note }, COMPUTED.weight as () => number) : integer(),
    note,
    made: integer().immutable().optional(),
    ...(key.includes('kind') && { kind: string() }),
    ...(key.includes('lap') && { lap: integer() }),
  }
  const kept = keptEnds(choices)
  const each = (option: (end: 'a' | 'b', choices: EndChoices) => object | string | false | undefined) =>
    Object.fromEntries(kept.flatMap(([end, its]) => [[end, option(end, its)] as const]).filter(([, value]) => value))
  const idOf = (end: 'a' | 'b') => Object.keys((nodes[end === 'a' ? from : to] as { attributes: object }).attributes)[0]
  const carried = (end: 'a' | 'b', what: EndChoices['carry']) => {
    if (what !== 'born') return [[`${end}Id`, `${end}.${idOf(end)}`]]
    const deleted = end === 'a' ? 'keep' : 'remove'
    const followed = (name: string) => ({ from: `${end}.${name}`, sync: 'eventual', deleted })
    return streamed
      ? [
          [`${end}Name`, followed('name')],
          [`${end}Size`, followed('size')],
        ]
      : [[`${end}Born`, `${end}.born`]]
  }
  const carry = kept.flatMap(([end, its]) => (its.carry === 'nothing' || undirected ? [] : carried(end, its.carry)))
  /** The addend of an end's first sum: a number carried from the other end, if possible. */
  const summed = (end: 'a' | 'b') => {
    const other = end === 'a' ? 'b' : 'a'
    if (choices[other].carry !== 'born' || undirected) return 'weight'
    return streamed ? `${other}Size` : `${other}Born`
  }
  const how = { ...(streamed && { by: 'stream' }), ...(some && { where: { weight: [1, 12, -1] } }) }
  const options = {
    key,
    ...(one && !undirected && { one }),
    ...(undirected && { undirected }),
    by: each((end, its) => endPath(end, its)),
    count: each((end, its) => its.fed && its.count && counters(its, `${name}_${end}`, 'count', how)),
    sum: each((end, its) => its.fed && its.sum && counters(its, `${name}_${end}`, 'sum', how, summed(end), 'made')),
    embed: each((end, its) => its.fed && its.embed && { into: `${name}_${end}_map`, max }),
    onDelete: each((_, its) => its.onDelete),
    ...(carry.length > 0 && { carry: Object.fromEntries(carry) }),
  }
  return declareEdge(name, { a: nodes[from], b: nodes[to] }, attributes, options)
}

/** One counter, or a list of two whose second has a different selection and addend. */
function counters({ second }: EndChoices, name: string, what: string, how: object, of?: string, other?: string) {
  const first = { into: `${name}_${what}`, ...(of && { of }), ...how }
  if (second === 'none') return first
  const keeper = second === 'alike' ? how : { by: 'transaction' }
  return [first, { into: `${name}_other_${what}`, ...(other && { of: other }), ...keeper, where: { weight: [0, 12] } }]
}

function endPath(end: 'a' | 'b', { as, order, shards }: EndChoices): object {
  const other = end === 'a' ? 'b' : 'a'
  const orders = { default: undefined, since: ['since'], 'weight and end': ['weight', other], end: [other] }
  const parts = orders[order]
  return { ...(as && { as }), ...(parts && { order: parts }), ...(shards > 1 && { shards }) }
}
