import type { Item } from '../../dynamodb/attribute-value.js'
import { STORED_ITEM_BYTES } from '../../dynamodb/prices.js'
import { countItemBytes } from '../../dynamodb/size.js'
import { memory } from '../../engine/index.js'
import { contextOf, open } from '../../graph/open.js'
import type { Layout } from '../../layout/layout.js'
import { counter } from '../../schema/attributes/counter.js'
import { embedded } from '../../schema/attributes/embedded.js'
import { string } from '../../schema/attributes/string.js'
import type { AccessMethod, DeclaredEdge } from '../../schema/declarations.js'
import { edge as declareEdge } from '../../schema/edge/edge.js'
import { type AnyType, type Graph, graph } from '../../schema/graph.js'
import { node as declareNode } from '../../schema/node.js'
import type { Store } from '../../store/port.js'
import { type Alternative, isSorted } from './alternatives.js'
import type { EdgeFacts } from './facts.js'

/** The cost of one edge in one alternative, measured on the embedded engine. */
export interface EdgeMeasurement {
  readonly layout: Layout
  /** capacity units of one write of each kind: read and written */
  readonly put: MeasuredUnits
  readonly update: MeasuredUnits
  readonly delete: MeasuredUnits
  /** the size of the edge's own item, as reads bill it */
  readonly edgeBytes: number
  /** the size of all data that one edge adds, as storage counts it */
  readonly storedBytes: number
}

export interface MeasuredUnits {
  readonly read: number
  readonly write: number
}

const ID = 'n'.repeat(16)
const PAYLOAD = 'payload'
const COPY = 'shown'
const MAP = 'entries'
const COUNT = 'count'
const SORTED = 'sorted'

type ModelRow = Readonly<Record<string, unknown>>
type ModelWrite = {
  run(): Promise<{ consumed: { read: Readonly<Record<string, number>>; write: Readonly<Record<string, number>> } }>
}
type ModelHandle = {
  put(row: ModelRow): ModelWrite
  update(id: ModelRow, patch: ModelRow): ModelWrite
  delete(id: ModelRow): ModelWrite
}

/** Creates a graph of two nodes and the edge, with the given sizes, stored as in the alternative. */
function createModelGraph(edge: DeclaredEdge, facts: EdgeFacts, alternative: Alternative): Graph<AnyType, boolean> {
  const { ways, carried, embedded: into } = alternative
  const names = [...new Set(edge.ends.map(({ node }) => node.name))]
  const nodes = new Map(
    names.map(name => {
      const holds = edge.ends.some(end => end.node.name === name && end.name === into)
      const counted = countedEnds(edge).filter(end => end.node.name === name)
      const attributes = {
        id: string(),
        [COPY]: string().immutable(),
        ...Object.fromEntries(counted.map(end => [`${COUNT}_${end.name}`, counter()])),
        ...(holds && { [MAP]: embedded({ [PAYLOAD]: string() }) }),
      }
      return [name, declareNode(name, attributes, { id: 'id' })] as const
    }),
  )
  const ends = Object.fromEntries(edge.ends.map(end => [end.name, nodes.get(end.node.name)!]))
  // A copy is read from one end and belongs to the node at the other end.
  const copies = carried.map(end => [`${COPY}_${end}`, `${otherEndOf(edge, end)}.${COPY}`])
  const options = {
    by: Object.fromEntries(
      Object.entries(ways).map(([end, as], at) => [end, pathOptionsOf(edge, end, at === 0 ? undefined : as)]),
    ),
    // An undirected edge declares one option for both ends.
    ...(edge.undirected && {
      undirected: true,
      by: { [edge.ends[0].name]: pathOptionsOf(edge, edge.ends[0].name, Object.values(ways)[1]) },
    }),
    ...(edge.one !== undefined && { one: edge.one }),
    ...(countedEnds(edge).length > 0 && {
      count: Object.fromEntries(countedEnds(edge).map(({ name }) => [name, `${COUNT}_${name}`])),
    }),
    ...(copies.length > 0 && { carry: Object.fromEntries(copies) }),
    ...(into !== undefined && { embed: { [into]: { into: MAP, max: Math.max(1, facts.ends[into]!.most) } } }),
  }
  const attributes = { [PAYLOAD]: string(), ...(hasOrder(edge) && { [SORTED]: string() }) }
  const modelEdge = (declareEdge as (...args: unknown[]) => AnyType)(edge.name, ends, attributes, options)
  return graph('model', [...nodes.values(), modelEdge] as AnyType[]) as Graph<AnyType, boolean>
}

/** The first end owns the partition of the edge: it is `adjacent` unless it has a sort order. */
const pathOptionsOf = (edge: DeclaredEdge, end: string, as: AccessMethod | undefined) =>
  isSorted(edge, end) ? { ...(as && { as }), order: [SORTED] } : { as: as ?? 'adjacent' }

const hasOrder = (edge: DeclaredEdge) => edge.ends.some(({ name }) => isSorted(edge, name))

const edgeValuesOf = (edge: DeclaredEdge, { bytes }: EdgeFacts): ModelRow => ({
  [PAYLOAD]: 'p'.repeat(bytes),
  ...(hasOrder(edge) && { [SORTED]: '2026-01-01' }),
})

/**
 * The ends whose nodes count the edge in the same transaction, which makes each further item of the transaction
 * cheaper.
 */
function countedEnds({ ends, count, sum, undirected }: DeclaredEdge) {
  const transactional = [...count, ...sum].filter(({ by }) => by !== 'stream')
  const countedByEdge = ends.filter(({ name }) => transactional.some(({ end }) => end === name))
  return undirected ? countedByEdge.slice(0, 1) : countedByEdge
}

const otherEndOf = ({ ends }: DeclaredEdge, end: string) => ends.find(({ name }) => name !== end)!.name

/** Writes, changes and deletes one edge, and records the consumed capacity. */
export async function measureEdge(
  edge: DeclaredEdge,
  facts: EdgeFacts,
  alternative: Alternative,
): Promise<EdgeMeasurement> {
  const store = memory()
  const opened = await open(createModelGraph(edge, facts, alternative), store)
  const { layout } = contextOf(opened)
  const handles = opened as unknown as Readonly<Record<string, ModelHandle>>
  const ids = edge.ends.map((_, i) => `${i}${ID}`)
  const { embedded: embeddedEnd, carried } = alternative
  const fewBytes = Math.max(0, ...carried.map(end => facts.ends[end]!.fewBytes))
  for (const [i, { node }] of edge.ends.entries())
    await handles[node.name]!.put({ id: ids[i], [COPY]: 'c'.repeat(fewBytes) }).run()
  const identity = Object.fromEntries(edge.ends.map(({ name }, i) => [name, ids[i]]))
  const role = handles[edge.name]!
  if (embeddedEnd !== undefined) await fillNode(handles, edge, facts, embeddedEnd, identity)
  const before = await measureStoredBytes(store, layout)
  const put = await measureUnits(role.put({ ...identity, ...edgeValuesOf(edge, facts) }))
  const after = await measureStoredBytes(store, layout)
  const edgeBytes = await measureEdgeBytes(store, layout, edge.name)
  const update = await measureUnits(role.update(identity, { [PAYLOAD]: 'q'.repeat(facts.bytes) }))
  const deleted = await measureUnits(role.delete(identity))
  return { layout, put, update, delete: deleted, edgeBytes, storedBytes: after - before }
}

/** Creates a node with the typical number of entries. */
async function fillNode(
  handles: Readonly<Record<string, ModelHandle>>,
  edge: DeclaredEdge,
  facts: EdgeFacts,
  embeddedEnd: string,
  identity: ModelRow,
): Promise<void> {
  const otherEnd = edge.ends.find(({ name }) => name !== embeddedEnd)!
  for (let i = 1; i < Math.min(facts.ends[embeddedEnd]!.typical, facts.ends[embeddedEnd]!.most); i++) {
    const id = `${i}${ID}`.slice(0, ID.length)
    await handles[otherEnd.node.name]!.put({ id, [COPY]: '' }).run()
    await handles[edge.name]!.put({ ...identity, [otherEnd.name]: id, ...edgeValuesOf(edge, facts) }).run()
  }
}

async function measureUnits(write: ModelWrite): Promise<MeasuredUnits> {
  const { consumed } = await write.run()
  const sum = (units: Readonly<Record<string, number>>) => Object.values(units).reduce((all, each) => all + each, 0)
  return { read: sum(consumed.read), write: sum(consumed.write) }
}

/** Adds up the sizes of all items and index entries, as storage counts them. */
async function measureStoredBytes(store: Store, { design }: Layout): Promise<number> {
  const places = [undefined, ...design.indexes.map(({ name }) => name)]
  const pages = await Promise.all(
    places.map(IndexName => store.scan({ TableName: design.name, ...(IndexName !== undefined && { IndexName }) })),
  )
  const items: Item[] = pages.flatMap(({ Items = [] }) => Items)
  return items.reduce((all, item) => all + countItemBytes(item) + STORED_ITEM_BYTES, 0)
}

async function measureEdgeBytes(store: Store, { design, names }: Layout, mark: string): Promise<number> {
  const { Items = [] } = await store.scan({ TableName: design.name })
  const own = Items.filter(item => item[names.type]?.S === mark)
  return Math.max(...own.map(countItemBytes))
}
