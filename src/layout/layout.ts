import type { KeyAttributeType } from '../dynamodb/attribute-value.js'
import type { DeclaredGraph } from '../schema/declared.js'
import type { AnyType, Graph } from '../schema/graph.js'
import { type Access, accessOf } from './access.js'
import type { KindDesign, TableDesign } from './design.js'
import { draft } from './drafts.js'
import { hashOf, type Shape, shapeOf } from './fingerprint.js'
import type { Physical, PhysicalOptions } from './given.js'
import { giveKeys } from './given-keys.js'
import { type Index, indexesOf } from './indexes.js'
import type { KeyFaults } from './key-faults.js'
import { type Kind, readKinds } from './kinds.js'
import { type Names, storedNames } from './names.js'
import { FINGERPRINT_PARTITION } from './own-items.js'
import { slotPart, storedSlots } from './slots.js'

/** Where everything of a graph lives in one table. */
export interface Layout<T extends AnyType = AnyType> {
  readonly graph: Graph<T, boolean>
  readonly kinds: readonly Kind[]
  readonly accesses: readonly Access[]
  readonly names: Names
  readonly design: TableDesign
  /** Everything that decides where items lie, and a short text that changes with it. */
  readonly shape: Shape
  readonly fingerprint: string
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
): Layout<T> {
  const physical: Physical = options
  const declared = graph.declared
  const drafts = draft(declared)
  const names = storedNames(declared, physical)
  const keyed = { ...drafts, kinds: giveKeys(drafts.kinds, physical, names) }
  const indexes = indexesOf(keyed, physical, names)
  const partitions = new Set([names.partition, ...indexes.flatMap(({ partition }) => partition)])
  const kinds = readKinds(keyed.kinds, physical, declared.tenant, attribute => partitions.has(attribute), names)
  const accesses = drafts.paths.map(path => accessOf(path, kinds, indexes, names))
  const design = designOf(declared, physical, kinds, indexes, accesses, names)
  const shape = shapeOf(design, kinds, names)
  return { graph, kinds, accesses, names, design, shape, fingerprint: hashOf(JSON.stringify(shape)) }
}

function designOf(
  graph: DeclaredGraph,
  physical: Physical,
  kinds: readonly Kind[],
  indexes: readonly Index[],
  accesses: readonly Access[],
  names: Names,
): TableDesign {
  const keys = { partition: names.partition, sort: names.sort }
  const keyAttributes = [...Object.values(keys), ...indexes.flatMap(({ partition, sort }) => [...partition, ...sort])]
  const expires = [...graph.nodes, ...graph.edges].some(type => type.expires !== undefined)
  const derived = graph.edges.some(
    ({ count, sum, carry }) => [...count, ...sum].some(({ by }) => by === 'stream') || carry.some(({ sync }) => sync),
  )
  return {
    name: graph.name,
    keys,
    attributes: Object.fromEntries(
      [...new Set(keyAttributes)].map(attribute => [attribute, typeOfKey(attribute, graph, names)]),
    ),
    indexes: indexes.map(({ native: _, ...index }) => ({
      ...index,
      serves: accesses.filter(access => access.index === index.name).map(({ type, name }) => `${type.name}.by.${name}`),
    })),
    capacity: physical.capacity ?? 'on-demand',
    stream: derived ? 'both' : 'none',
    expires: expires ? names.expires : undefined,
    tenant: graph.tenant,
    fingerprint: FINGERPRINT_PARTITION,
    kinds: kinds.map(kind => kindDesign(kind, names)),
  }
}

/** Composed keys are texts; the keys of a native index are attributes, of whatever type they are stored in. */
function typeOfKey(attribute: string, graph: DeclaredGraph, names: Names): KeyAttributeType {
  const types = [...graph.nodes, ...graph.edges]
  const found = types.flatMap(type => {
    const slot = storedSlots(type).find(each => names.of(type, each) === attribute)
    return slot === undefined ? [] : [slotPart(type, slot)?.kind]
  })[0]
  if (found === 'binary') return 'B'
  return found === 'number' || found === 'integer' || found === 'bigint' || found === 'decimal' ? 'N' : 'S'
}

function kindDesign({ name, keys }: Kind, names: Names): KindDesign {
  const [partition, sort] = [keys[names.partition]!, keys[names.sort]!]
  return { name, partition: partition.source, sort: sort.source, constantSort: sort.slots.length === 0 }
}
