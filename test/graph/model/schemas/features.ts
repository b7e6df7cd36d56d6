import { layout } from '../../../../src/layout/layout.js'
import type { DeclaredEdge, DeclaredNode } from '../../../../src/schema/declarations.js'
import type { Schema } from './random-schemas.js'

/** The storage options of a graph. */
export const WAYS = [
  'adjacent',
  'index',
  'inverted',
  'mirror',
  'local',
  'native',
  'none',
  'embedded',
  'reference',
  'carried',
  'hierarchy',
  'item',
  'item of a set',
  'sharded item',
  'sharded index',
  'sharded adjacency',
  'owned',
  'owned by the owned',
  'path by an owner',
  'one',
  'undirected',
  'unique',
  'count',
  'sum',
  'sum without a count',
  'several counters at an end',
  'several sums at an end',
  'id of several parts',
  'key of several parts',
  'cascade',
  'refuse',
  'tenant',
  'stored under another name',
] as const

type WayName = (typeof WAYS)[number]

/** The storage options that occur in a schema. */
export function waysOf({ graph }: Schema): Set<WayName> {
  const { nodes, edges, tenant } = graph.declared
  const { accesses } = layout(graph)
  const read = accesses.filter(({ kind }) => kind.role !== 'unique').map(({ method }) => method)
  const shared = accesses.filter(({ shards }) => shards > 1).map(({ method }) => method)
  return new Set<WayName>([
    ...read,
    ...(tenant ? (['tenant'] as const) : []),
    ...(shared.includes('item') ? (['sharded item'] as const) : []),
    ...(shared.includes('index') ? (['sharded index'] as const) : []),
    ...(shared.includes('adjacent') ? (['sharded adjacency'] as const) : []),
    ...nodes.flatMap(waysOfNode),
    ...edges.flatMap(waysOfEdge),
  ])
}

const named = (ways: Partial<Record<WayName, boolean>>) =>
  Object.entries(ways).flatMap(([way, is]) => (is ? [way as WayName] : []))

function waysOfNode({ attributes, id, within, unique, paths }: DeclaredNode): WayName[] {
  return named({
    owned: within !== undefined,
    'owned by the owned': within?.within !== undefined,
    'path by an owner': paths.some(path => [...path.in, ...path.order].includes(within?.name ?? '')),
    unique: unique.length > 0,
    hierarchy: paths.some(({ order }) => order.length > 1),
    'item of a set': paths.some(path => path.in.some(part => attributes[part]?.kind === 'set')),
    'id of several parts': id.length > 1,
    'stored under another name': Object.values(attributes).some(({ storedAs }) => storedAs !== undefined),
  })
}

function waysOfEdge({ ends, key, one, undirected, carry, count, sum, embed }: DeclaredEdge): WayName[] {
  return named({
    none: ends.some(({ by }) => by.as === 'none'),
    one: one !== undefined,
    undirected,
    carried: carry.length > 0,
    reference: carry.length === 0,
    count: count.length > 0,
    sum: sum.length > 0,
    'sum without a count': sum.some(({ end, by }) => by === 'transaction' && !count.some(each => each.end === end)),
    'several counters at an end': ends.some(({ name }) => count.filter(({ end }) => end === name).length > 1),
    'several sums at an end': ends.some(({ name }) => sum.filter(({ end }) => end === name).length > 1),
    embedded: embed.length > 0,
    'key of several parts': key.length > 1,
    cascade: ends.some(({ onDelete }) => onDelete === 'cascade'),
    refuse: ends.some(({ onDelete }) => onDelete === 'refuse'),
  })
}
