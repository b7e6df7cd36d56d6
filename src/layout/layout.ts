import type { KeyAttributeType } from '../dynamodb/attribute-value.js'
import type { DeclaredGraph } from '../schema/declared.js'
import { GraphError } from '../schema/error.js'
import type { AnyType, Graph } from '../schema/graph.js'
import { keptByStream } from '../schema/kept-by-stream.js'
import { checkDistinct } from '../schema/names.js'
import { checkOptions, refuse } from '../schema/refusal.js'
import { type Access, accessOf } from './access.js'
import type { TableDesign } from './design.js'
import { draft } from './drafts.js'
import { fingerprintOf, type Shape, shapeOf } from './fingerprint.js'
import type { Physical, PhysicalOptions } from './given.js'
import { giveKeys } from './given-keys.js'
import { type Index, indexesOf } from './indexes.js'
import type { KeyFaults } from './key-faults.js'
import { checkIdentity } from './key-identity.js'
import { type Kind, ownSlots, readKinds } from './kinds.js'
import { type Names, storedNames } from './names.js'
import { FINGERPRINT_PARTITION } from './own-items.js'
import { checkStored, heldSlots } from './plain-keys.js'
import { storedType } from './slots.js'
import { isNumber } from './template-encode.js'

/** Where everything of a graph lives in one table. */
export interface Layout<T extends AnyType = AnyType, Tenant extends boolean = boolean> {
  readonly graph: Graph<T, Tenant>
  readonly kinds: readonly Kind[]
  readonly accesses: readonly Access[]
  readonly names: Names
  readonly design: TableDesign
  /** Everything that decides where items lie, and a short text that changes with it. */
  readonly shape: Shape
  readonly fingerprint: string
}

/** The same in a table of another name. What was worked out for a layout is kept with it, so it is not copied for nothing. */
export function layoutIn(layout: Layout, table: string): Layout {
  const { design } = layout
  return design.name === table ? layout : { ...layout, design: { ...design, name: table } }
}

/** The layout that is given, or that of the graph that is. */
export function layoutOf<T extends AnyType, Tenant extends boolean>(
  what: Graph<T, Tenant> | Layout<T, Tenant>,
): Layout<T, Tenant> {
  const given = what as Layout<T, Tenant>
  return given?.kinds ? given : layout(what as Graph<T, Tenant>)
}

/** The layout of a graph: by default one that suits most, with any part of it as told. */
export function layout<
  T extends AnyType,
  Tenant extends boolean,
  const K extends NonNullable<Physical['keys']> = Record<never, never>,
>(
  graph: Graph<T, Tenant>,
  // The names of the types stand there to be completed.
  options: PhysicalOptions & { readonly keys?: K & KeyFaults<T, K> & { readonly [N in T['name']]?: unknown } } = {},
): Layout<T, Tenant> {
  const physical: Physical = options
  if (!graph?.types) throw new GraphError('call.given', 'give a graph()')
  checkOptions('layout', options, 'keys, indexes, table, type, marks, names, raw, capacity')
  const { declared } = graph
  const names = storedNames(physical)
  const drafts = draft(declared, names)
  const keyed = giveKeys(drafts.kinds, physical, names)
  const indexes = indexesOf({ ...drafts, kinds: keyed }, physical, names)
  const keys = [
    ...indexes.flatMap(({ native, partition, sort }) => (native ? [] : [...partition, ...sort])),
    ...keyed.flatMap(({ texts }) => Object.keys(texts)),
  ]
  const partitions = [names.partition, ...indexes.map(({ partition }) => partition[0]!)]
  checkStored(keyed, physical, names, keys, declared.tenant ? partitions : [])
  const kinds = readKinds(keyed, physical, declared.tenant, indexes, partitions, names)
  const accesses = drafts.paths.map(path => accessOf(path, kinds, indexes, names))
  checkSides(declared, kinds, accesses, names)
  checkIdentity(kinds, names)
  checkDistinct(
    kinds.map(({ mark }) => mark),
    'type.values',
  )
  const design = designOf(declared, physical, kinds, indexes, accesses, names)
  const shape = shapeOf(design, kinds, names)
  return { graph, kinds, accesses, names, design, shape, fingerprint: fingerprintOf(shape) }
}

/** What the stream keeps lies on the items by which an end is read, which stay where they are. */
function checkSides({ edges }: DeclaredGraph, kinds: readonly Kind[], accesses: readonly Access[], names: Names): void {
  for (const edge of edges) {
    const own = kinds.filter(({ type }) => type === edge)
    const slots = own.flatMap(kind => ownSlots(kind, names))
    for (const { as, sync } of edge.carry)
      refuse(edge.name, sync && slots.includes(as), 'key.slot', as, `'${as}' can change: leave it out of the key`)
    const isText = own.every(({ keys }) => names.keys.every(key => !isNumber(keys[key]!)))
    for (const { name } of edge.ends)
      refuse(
        edge.name,
        keptByStream(edge, name) &&
          !(isText && accesses.some(access => access.type === edge && access.name === name && access.consistent)),
        'path.way',
        name,
        edge.undirected
          ? `the stream cannot keep counters of an undirected edge that is read in an own order or by an index; drop 'order' and 'as' of by.${edge.ends[0].name}, or count by transaction`
          : `the stream needs by.${name} on the table itself, by texts: say 'mirror' there and 'adjacent' at the other end`,
      )
  }
}

function designOf(
  { name, edges, tenant }: DeclaredGraph,
  { capacity = 'on-demand' }: Physical,
  kinds: readonly Kind[],
  indexes: readonly Index[],
  accesses: readonly Access[],
  names: Names,
): TableDesign {
  const { partition, sort } = names
  const attributes: Record<string, KeyAttributeType> = {}
  for (const key of names.keys) attributes[key] = typeOfKey(key, 'the table', kinds, names)
  for (const index of indexes)
    for (const key of [...index.partition, ...index.sort])
      attributes[key] = typeOfKey(key, `the index ${index.name}`, kinds, names)
  const derived = edges.some(edge => keptByStream(edge))
  return {
    name,
    keys: sort ? { partition, sort } : { partition },
    attributes,
    indexes: indexes.map(({ native: _, ...index }) => {
      const readers = accesses.filter(access => access.index === index.name)
      return { ...index, serves: readers.map(({ type, name: path }) => `${type.name}.by.${path}`) }
    }),
    capacity,
    stream: derived ? 'both' : 'none',
    // Receipts of tokens go by it, what was taken from a counter, and what is declared to.
    expires: names.expires,
    tenant,
    fingerprint: FINGERPRINT_PARTITION,
  }
}

/** Keys are texts, but for some that are attributes; DynamoDB refuses every item that has one of another type there. */
function typeOfKey(attribute: string, place: string, kinds: readonly Kind[], names: Names): KeyAttributeType {
  const types = new Set(
    kinds.flatMap(kind => {
      const { type, told, keys } = kind
      const slots = heldSlots(kind).filter(slot => names.of(type, slot) === attribute && !told.has(slot))
      const held = slots.map(slot => storedType(type, slot))
      return held[0] || !keys[attribute] ? held : 'S'
    }),
  )
  const [type = 'S'] = types
  if (types.size < 2 && (type === 'S' || type === 'N')) return type
  throw new GraphError(
    'layout.native',
    `${place} needs '${attribute}' as S or N in every type, not ${[...types]}: rename one, or say stored()`,
    { name: attribute },
  )
}
