import type { DeclaredEdge, DeclaredGraph } from '../../schema/declarations.js'
import { CommandFailure } from '../command-failure.js'

/** The attributes of each node at the other end that a read shows: only its id, a few, or all. */
export type NodeDetail = 'ids' | 'few' | 'whole'

/** The access pattern of an edge from one end. */
export interface EndFacts {
  /** edges of one node */
  readonly typical: number
  readonly most: number
  readonly readsPerSecond: number
  /** whether a read must return the latest write */
  readonly consistent: boolean
  readonly shows: NodeDetail
  /** the size of these few attributes */
  readonly fewBytes: number
  /** how often one of them changes, over all nodes at the other end; 0 means never */
  readonly fewChangesPerSecond: number
  /** the size of a whole node at the other end */
  readonly wholeBytes: number
  /** the share of the traffic that the busiest node receives, 0 to 1 */
  readonly hottest: number
}

export interface EdgeFacts {
  readonly total: number
  /** the size of its attributes, without its keys */
  readonly bytes: number
  readonly writesPerSecond: number
  readonly updatesPerSecond: number
  readonly deletesPerSecond: number
  readonly ends: Readonly<Record<string, EndFacts>>
}

export interface Facts {
  readonly edges: Readonly<Record<string, EdgeFacts>>
  /** the number of node-to-node reads */
  readonly traversals: { readonly hops: number; readonly perSecond: number }
}

const MOST_FACTOR = 10

export const defaultEndFacts = (typical: number, total: number): EndFacts => ({
  typical,
  most: typical * MOST_FACTOR,
  readsPerSecond: 1,
  consistent: false,
  shows: 'ids',
  fewBytes: 60,
  fewChangesPerSecond: 0,
  wholeBytes: 500,
  hottest: Math.min(1, (typical * MOST_FACTOR) / Math.max(1, total)),
})

export const EDGE_DEFAULTS = {
  total: 100_000,
  bytes: 200,
  writesPerSecond: 1,
  updatesPerSecond: 0,
  deletesPerSecond: 0,
} as const

export const TYPICAL_EDGES = 20

export function defaultEdgeFacts({ ends }: DeclaredEdge): EdgeFacts {
  const { total } = EDGE_DEFAULTS
  return {
    ...EDGE_DEFAULTS,
    ends: Object.fromEntries(ends.map(({ name }) => [name, defaultEndFacts(TYPICAL_EDGES, total)])),
  }
}

export const TRAVERSAL_DEFAULTS = { hops: 1, perSecond: 0 } as const

/** Creates an empty form for the facts. */
export function factsFormOf({ edges }: DeclaredGraph): Facts {
  return {
    edges: Object.fromEntries(edges.map(edge => [edge.name, defaultEdgeFacts(edge)])),
    traversals: TRAVERSAL_DEFAULTS,
  }
}

/** The place of a fact, for errors: the file or the option, and the path in it. */
interface FactPlace {
  readonly source: string
  readonly path: string
}

const placeOf = ({ source, path }: FactPlace, name: string): FactPlace => ({
  source,
  path: path === '' ? name : `${path}.${name}`,
})

/** Checks the given facts and adds defaults for missing ones. */
export function parseFacts(graph: DeclaredGraph, document: unknown, source: string): Facts {
  const top = { source, path: '' }
  const facts = assertObject(document, top)
  rejectUnknownNames(facts, ['edges', 'traversals'], top)
  const { edges = {}, traversals = {} } = facts
  const edgesPlace = placeOf(top, 'edges')
  const named = assertObject(edges, edgesPlace)
  rejectUnknownNames(
    named,
    graph.edges.map(({ name }) => name),
    edgesPlace,
  )
  const traversalsPlace = placeOf(top, 'traversals')
  return {
    edges: Object.fromEntries(
      graph.edges.map(edge => [
        edge.name,
        parseEdgeFacts(edge, named[edge.name] ?? {}, placeOf(edgesPlace, edge.name)),
      ]),
    ),
    traversals: withDefaultFacts(TRAVERSAL_DEFAULTS, assertObject(traversals, traversalsPlace), traversalsPlace),
  }
}

function parseEdgeFacts(edge: DeclaredEdge, document: unknown, place: FactPlace): EdgeFacts {
  const { ends = {}, ...own } = assertObject(document, place)
  const facts = withDefaultFacts(EDGE_DEFAULTS, own, place)
  const endsPlace = placeOf(place, 'ends')
  const named = assertObject(ends, endsPlace)
  const names = edge.ends.map(({ name }) => name)
  rejectUnknownNames(named, names, endsPlace)
  const endFacts = names.map(name => {
    const endPlace = placeOf(endsPlace, name)
    const end = assertObject(named[name] ?? {}, endPlace)
    const typical = typeof end.typical === 'number' ? end.typical : TYPICAL_EDGES
    const most = typeof end.most === 'number' ? end.most : typical * MOST_FACTOR
    const defaults = { ...defaultEndFacts(typical, facts.total), hottest: Math.min(1, most / Math.max(1, facts.total)) }
    return [name, assertEndFacts(withDefaultFacts(defaults, end, endPlace), endPlace)] as const
  })
  return { ...facts, ends: Object.fromEntries(endFacts) }
}

function assertEndFacts(end: EndFacts, { source, path }: FactPlace): EndFacts {
  const { shows, most, typical, hottest } = end
  if (!['ids', 'few', 'whole'].includes(shows))
    throw new CommandFailure(`${source}: '${path}.shows' is '${shows}'; give 'ids', 'few' or 'whole'.`)
  if (most < typical)
    throw new CommandFailure(`${source}: '${path}.most' is ${most}, but 'typical' is ${typical}; increase 'most'.`)
  if (hottest > 1) throw new CommandFailure(`${source}: '${path}.hottest' is ${hottest}; give a share from 0 to 1.`)
  return end
}

/** Checks that every member has the type of its default, and that no number is negative. */
function withDefaultFacts<T extends object>(
  defaults: T,
  values: Readonly<Record<string, unknown>>,
  place: FactPlace,
): T {
  rejectUnknownNames(values, Object.keys(defaults), place)
  for (const [name, value] of Object.entries(values)) {
    const kind = typeof defaults[name as keyof T]
    const isValid = typeof value === kind && (kind !== 'number' || (Number.isFinite(value) && (value as number) >= 0))
    if (!isValid)
      throw new CommandFailure(
        `${place.source}: '${placeOf(place, name).path}' is ${JSON.stringify(value)}; give a ${TYPE_DESCRIPTIONS[kind] ?? kind}.`,
      )
  }
  return { ...defaults, ...values }
}

const TYPE_DESCRIPTIONS: Readonly<Record<string, string>> = {
  number: 'number of at least 0',
  boolean: 'boolean',
  string: 'word',
}

function assertObject(value: unknown, { source, path }: FactPlace): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>
  throw new CommandFailure(
    `${source}: ${path === '' ? 'the document' : `'${path}'`} is not a JSON object; run \`edgewise advise FILE --form\` to print a form.`,
  )
}

function rejectUnknownNames(values: object, known: readonly string[], place: FactPlace): void {
  const unknownName = Object.keys(values).find(name => !known.includes(name))
  if (unknownName !== undefined)
    throw new CommandFailure(
      `${place.source}: '${placeOf(place, unknownName).path}' does not exist; use one of ${known.join(', ')}.`,
    )
}
