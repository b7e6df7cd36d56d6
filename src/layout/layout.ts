import type { KeyAttributeType } from '../dynamodb/attribute-value.js'
import type { DeclaredGraph } from '../schema/declared.js'
import type { AnyType, Graph } from '../schema/graph.js'
import { type Access, accessOf } from './access.js'
import type { KindDesign, TableDesign } from './design.js'
import { draft, PARTITION, SORT } from './drafts.js'
import { fingerprintOf } from './fingerprint.js'
import type { Physical } from './given.js'
import { type Index, indexesOf } from './indexes.js'
import { type Kind, readKinds } from './kinds.js'
import { type Names, storedNames } from './names.js'

/** Where everything of a graph lives in one table. */
export interface Layout<T extends AnyType = AnyType> {
  readonly graph: Graph<T, boolean>
  readonly kinds: readonly Kind[]
  readonly accesses: readonly Access[]
  readonly names: Names
  readonly design: TableDesign
  /** Changes with everything that decides where items lie. */
  readonly fingerprint: string
}

/** The layout of a graph: by default one that suits most, with any part of it as told. */
export function layout<T extends AnyType, Tenant extends boolean>(
  graph: Graph<T, Tenant>,
  physical: Physical = {},
): Layout<T> {
  const declared = graph.declared
  const drafts = draft(declared)
  const names = storedNames(declared, physical)
  const indexes = indexesOf(drafts, physical, names.type, slot => names.slot(slot))
  const partitions = new Set([PARTITION, ...indexes.flatMap(({ partition }) => partition)])
  const kinds = readKinds(drafts.kinds, physical, declared.tenant, attribute => partitions.has(attribute))
  const accesses = drafts.paths.map(path => accessOf(path, kinds, indexes))
  const design = designOf(declared, physical, kinds, indexes, accesses, names)
  return { graph, kinds, accesses, names, design, fingerprint: fingerprintOf(design, kinds, names) }
}

function designOf(
  graph: DeclaredGraph,
  physical: Physical,
  kinds: readonly Kind[],
  indexes: readonly Index[],
  accesses: readonly Access[],
  names: Names,
): TableDesign {
  const keyAttributes = new Set([PARTITION, SORT, ...indexes.flatMap(({ partition, sort }) => [...partition, ...sort])])
  const expires = [...graph.nodes, ...graph.edges].some(type => type.expires !== undefined)
  const derived = graph.edges.some(
    ({ count, sum, carry }) => [...count, ...sum].some(({ by }) => by === 'stream') || carry.some(({ sync }) => sync),
  )
  return {
    name: graph.name,
    keys: { partition: PARTITION, sort: SORT },
    attributes: Object.fromEntries(
      [...keyAttributes].map(attribute => [attribute, typeOfKey(attribute, graph, names)]),
    ),
    indexes: indexes.map(({ native: _, ...index }) => ({
      ...index,
      serves: accesses.filter(access => access.index === index.name).map(({ type, name }) => `${type.name}.by.${name}`),
    })),
    capacity: physical.capacity ?? 'on-demand',
    stream: derived ? 'both' : 'none',
    expires: expires ? names.expires : undefined,
    tenant: graph.tenant,
    kinds: kinds.map(kindDesign),
  }
}

/** Composed keys are texts; the keys of a native index are attributes, of whatever type they are stored in. */
function typeOfKey(attribute: string, graph: DeclaredGraph, names: Names): KeyAttributeType {
  const declared = [...graph.nodes, ...graph.edges].flatMap(type => Object.entries(type.attributes))
  const found = declared.find(([name]) => names.slot(name) === attribute)?.[1]
  if (!found) return 'S'
  if (found.kind === 'binary') return 'B'
  return found.kind === 'number' || found.kind === 'integer' || found.kind === 'bigint' || found.kind === 'decimal'
    ? 'N'
    : 'S'
}

function kindDesign({ name, keys }: Kind): KindDesign {
  const [partition, sort] = [keys[PARTITION]!, keys[SORT]!]
  return { name, partition: partition.source, sort: sort.source, constantSort: sort.slots.length === 0 }
}
