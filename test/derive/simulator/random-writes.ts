import { parseItem } from '../../../src/derive/settle/side-items.js'
import type { Item } from '../../../src/dynamodb/index.js'
import { GraphError } from '../../../src/index.js'
import type { Layout } from '../../../src/layout/layout.js'
import { keyOfItem } from '../../../src/plan/identity.js'
import type { DeclaredAttribute } from '../../../src/schema/declarations.js'
import type { Service } from '../../../src/store/port.js'
import { itemsIn } from './check-table.js'
import type { Random } from './random.js'
import type { World } from './worlds.js'

type Call = (...given: unknown[]) => Promise<unknown>
export type Handles = Record<string, Record<'put' | 'create' | 'update' | 'delete', Call>>

/** The frequent operations of a run. Each kind of risk has runs of its own. */
export interface Profile {
  readonly ids: number
  readonly nodes: readonly ('put' | 'create' | 'update' | 'delete')[]
  readonly edges: readonly ('put' | 'update' | 'delete')[]
  /** share of writes to nodes */
  readonly share: number
  readonly foreign: number
  /** turns between two repairs */
  readonly repairEvery: number
  readonly slowness: number
  /** The edge of most writes to edges, if the world has it. */
  readonly edge?: string
}

const ALL: Profile = {
  ids: 3,
  nodes: ['put', 'put', 'put', 'update', 'update', 'delete', 'create'],
  edges: ['put', 'put', 'put', 'update', 'delete'],
  share: 0.4,
  foreign: 0.03,
  repairEvery: 200,
  slowness: 0.03,
}

export const PROFILES: readonly Profile[] = [
  ALL,
  {
    ...ALL,
    ids: 2,
    nodes: ['put', 'update', 'update'],
    edges: ['put', 'put', 'put', 'delete'],
    share: 0.75,
    foreign: 0,
  },
  { ...ALL, ids: 2, nodes: ['put'], edges: ['put', 'delete'], share: 0.05, foreign: 0.1, repairEvery: 8 },
  { ...ALL, ids: 2, nodes: ['put', 'delete', 'create'], edges: ['put', 'put', 'delete'], share: 0.4, repairEvery: 50 },
  { ...ALL, ids: 2, nodes: ['put'], edges: ['put', 'update', 'update'], share: 0.1, foreign: 0.05 },
  // Trees that are deep enough for nodes to move while the consumer settles the nodes below.
  { ...ALL, ids: 6, nodes: ['put'], edges: ['put', 'put', 'put', 'put', 'delete'], share: 0.05, edge: 'manages' },
]

/** Returns a random write, as a call that has not started. */
export function anyWrite(
  random: Random,
  profile: Profile,
  world: World,
  handles: Handles,
  nowMs: number,
): { name: string; run: Call } {
  const idOf = (type: string) => anyId(random, profile, world, type)
  if (random.chance(profile.share)) {
    const { name, attributes } = random.pick(world.nodes)
    const id = idOf(name)
    const verb = random.pick(profile.nodes)
    const row = attributes(random, nowMs)
    const run = () =>
      verb === 'delete'
        ? handles[name]!.delete(id)
        : verb === 'update'
          ? handles[name]!.update(id, row)
          : handles[name]![verb]({ ...partsOf(id), ...row })
    return { name: `${name}.${verb} ${JSON.stringify(id)} ${JSON.stringify(row)}`, run }
  }
  const favorite = world.edges.find(edge => edge.name === profile.edge)
  const { name, ends, key, attributes } = favorite && random.chance(0.8) ? favorite : random.pick(world.edges)
  const identity = { ...Object.fromEntries(ends.map(([end, type]) => [end, idOf(type)])), ...key?.(random) }
  const row = attributes(random, nowMs)
  const asked = random.pick(profile.edges)
  const verb = asked === 'update' && Object.keys(row).length === 0 ? 'put' : asked
  const run = () =>
    verb === 'delete'
      ? handles[name]!.delete(identity)
      : verb === 'update'
        ? handles[name]!.update(identity, row)
        : handles[name]!.put({ ...identity, ...row })
  return { name: `${name}.${verb} ${JSON.stringify(identity)} ${JSON.stringify(row)}`, run }
}

type Id = string | { readonly id: string }

/** Returns the id of a node. The id of an owned node includes that of its owner. */
function anyId(random: Random, { ids }: Profile, world: World, type: string): Id {
  const id = `${type[0]}${random.below(ids)}`
  const owner = world.nodes.find(({ name }) => name === type)?.within
  return owner === undefined ? id : { id, [owner]: `${owner[0]}${random.below(ids)}` }
}

/** Returns an id in the form that rows have. */
const partsOf = (id: Id): object => (typeof id === 'string' ? { id } : id)

/** Whether an item belongs to a closure. Only a repair restores it. */
const isOfClosure = (layout: Layout, item: Item): boolean => {
  const type = parseItem(layout, item)?.kind.type
  return type?.kind === 'edge' && type.closureOf !== undefined
}

/** Deletes one item of an edge, as a foreign writer does. */
export async function foreignDelete(random: Random, layout: Layout, store: Service): Promise<void> {
  const isOfEdge = (item: Item) =>
    /edge|mirror/.test(parseItem(layout, item)?.kind.role ?? '') && !isOfClosure(layout, item)
  const items = (await itemsIn(store, layout.design.name)).filter(isOfEdge)
  if (items.length === 0) return
  await store.deleteItem({ TableName: layout.design.name, Key: keyOfItem(layout.names, random.pick(items)) })
}

/**
 * Replaces an item of a node or an edge, as a foreign writer does who knows only its attributes and keys. Entries in a
 * node are lost until a repair.
 */
export async function foreignPut(random: Random, layout: Layout, store: Service): Promise<void> {
  const isHealed = (item: Item) => {
    const { attributes } = parseItem(layout, item)?.kind.type ?? {}
    return (
      attributes && !isOfClosure(layout, item) && !Object.values(attributes).some(({ kind }) => kind === 'embedded')
    )
  }
  const items = (await itemsIn(store, layout.design.name)).filter(isHealed)
  if (items.length === 0) return
  const item = { ...random.pick(items) }
  const { kind, values } = parseItem(layout, item)!
  const { etag, countedState, lineage, incarnation, countTag, deletionMark } = layout.names
  for (const name of [etag, countedState, lineage, incarnation, countTag, deletionMark]) delete item[name]
  // A write of the edge gives its mirror an etag again but no lost summary: only a repair does.
  const isKept = (attribute: DeclaredAttribute) => attribute.kind === 'summary' && kind.role === 'mirror'
  for (const [name, attribute] of Object.entries(kind.type.attributes))
    if (attribute.derived && !isKept(attribute)) delete item[layout.names.attributeOf(kind.type, name)]
  const isOwn = kind.role === 'node' || kind.role === 'edge'
  const given = isOwn ? ['pay', 'degree', 'note', 'weight', 'since'].filter(name => values[name]) : []
  for (const name of given)
    if (!kind.type.attributes[name]?.derived)
      item[layout.names.attributeOf(kind.type, name)] = { N: String(random.below(4)) }
  await store.putItem({ TableName: layout.design.name, Item: item })
}

/** Whether a writer may get this error: the write was not applied, or its outcome is unknown. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof GraphError && /^(write\.|store\.(unknown|throttled)|edge\.|node\.|tree\.)/.test(error.code)
