import type { Item } from '../../dynamodb/attribute-value.js'
import { STORED_ITEM_BYTES } from '../../dynamodb/dollars.js'
import { itemBytes } from '../../dynamodb/size.js'
import { memory } from '../../engine/index.js'
import { contextOf, open } from '../../graph/open.js'
import type { Layout } from '../../layout/layout.js'
import { counter } from '../../schema/attributes/counter.js'
import { embedded } from '../../schema/attributes/embedded.js'
import { string } from '../../schema/attributes/string.js'
import type { DeclaredEdge, Way } from '../../schema/declared.js'
import { edge as declareEdge } from '../../schema/edge.js'
import { type AnyType, type Graph, graph } from '../../schema/graph.js'
import { node as declareNode } from '../../schema/node.js'
import type { Store } from '../../store/port.js'
import { type Alternative, isSorted } from './alternatives.js'
import type { EdgeFacts } from './facts.js'

/** What one edge takes in one alternative, measured on the embedded engine. */
export interface Measured {
  readonly layout: Layout
  /** capacity units of one write of each kind: read and written */
  readonly put: Units
  readonly update: Units
  readonly delete: Units
  /** of the edge's own item, as reads meet it */
  readonly edgeBytes: number
  /** of everything that one edge adds, as storage counts it */
  readonly storedBytes: number
}

export interface Units {
  readonly read: number
  readonly write: number
}

const ID = 'n'.repeat(16)
const PAYLOAD = 'payload'
const COPY = 'shown'
const MAP = 'entries'
const COUNT = 'count'
const SORTED = 'sorted'

type Row = Readonly<Record<string, unknown>>
type Write = {
  run(): Promise<{ consumed: { read: Readonly<Record<string, number>>; write: Readonly<Record<string, number>> } }>
}
type Handle = { put(row: Row): Write; update(id: Row, patch: Row): Write; delete(id: Row): Write }

/** A graph of two nodes and the edge, of the given sizes, kept as the alternative says. */
function modelGraph(edge: DeclaredEdge, facts: EdgeFacts, alternative: Alternative): Graph<AnyType, boolean> {
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
  // A copy is read from one end, and is of the node at the other.
  const copies = carried.map(end => [`${COPY}_${end}`, `${otherEnd(edge, end)}.${COPY}`])
  const options = {
    by: Object.fromEntries(
      Object.entries(ways).map(([end, as], at) => [end, servedBy(edge, end, at === 0 ? undefined : as)]),
    ),
    // Of an undirected edge it is said of one end for both.
    ...(edge.undirected && {
      undirected: true,
      by: { [edge.ends[0].name]: servedBy(edge, edge.ends[0].name, Object.values(ways)[1]) },
    }),
    ...(edge.one !== undefined && { one: edge.one }),
    ...(countedEnds(edge).length > 0 && {
      count: Object.fromEntries(countedEnds(edge).map(({ name }) => [name, `${COUNT}_${name}`])),
    }),
    ...(copies.length > 0 && { carry: Object.fromEntries(copies) }),
    ...(into !== undefined && { embed: { [into]: { into: MAP, max: Math.max(1, facts.ends[into]!.most) } } }),
  }
  const attributes = { [PAYLOAD]: string(), ...(hasOrder(edge) && { [SORTED]: string() }) }
  const made = (declareEdge as (...given: unknown[]) => AnyType)(edge.name, ends, attributes, options)
  return graph('model', [...nodes.values(), made] as AnyType[]) as Graph<AnyType, boolean>
}

/** The first end is that in whose partition the edge lies: it is `adjacent` unless it is sorted. */
const servedBy = (edge: DeclaredEdge, end: string, as: Way | undefined) =>
  isSorted(edge, end) ? { ...(as && { as }), order: [SORTED] } : { as: as ?? 'adjacent' }

const hasOrder = (edge: DeclaredEdge) => edge.ends.some(({ name }) => isSorted(edge, name))

const valuesOf = (edge: DeclaredEdge, { bytes }: EdgeFacts): Row => ({
  [PAYLOAD]: 'p'.repeat(bytes),
  ...(hasOrder(edge) && { [SORTED]: '2026-01-01' }),
})

/** The ends whose nodes count the edge in its own transaction, which makes any further item of it cheaper. */
function countedEnds({ ends, count, sum, undirected }: DeclaredEdge) {
  const kept = [...count, ...sum].filter(({ by }) => by !== 'stream')
  const found = ends.filter(({ name }) => kept.some(({ end }) => end === name))
  return undirected ? found.slice(0, 1) : found
}

const otherEnd = ({ ends }: DeclaredEdge, end: string) => ends.find(({ name }) => name !== end)!.name

/** Writes one edge, changes it and deletes it, and keeps account of what that took. */
export async function measured(edge: DeclaredEdge, facts: EdgeFacts, alternative: Alternative): Promise<Measured> {
  const store = memory()
  const opened = await open(modelGraph(edge, facts, alternative), store)
  const { layout } = contextOf(opened)
  const handles = opened as unknown as Readonly<Record<string, Handle>>
  const ids = edge.ends.map((_, i) => `${i}${ID}`)
  const { embedded: into, carried } = alternative
  const fewBytes = Math.max(0, ...carried.map(end => facts.ends[end]!.fewBytes))
  for (const [i, { node }] of edge.ends.entries())
    await handles[node.name]!.put({ id: ids[i], [COPY]: 'c'.repeat(fewBytes) }).run()
  const identity = Object.fromEntries(edge.ends.map(({ name }, i) => [name, ids[i]]))
  const role = handles[edge.name]!
  if (into !== undefined) await fill(handles, edge, facts, into, identity)
  const before = await storedBytes(store, layout)
  const put = await unitsOf(role.put({ ...identity, ...valuesOf(edge, facts) }))
  const after = await storedBytes(store, layout)
  const edgeBytes = await ownBytes(store, layout, edge.name)
  const update = await unitsOf(role.update(identity, { [PAYLOAD]: 'q'.repeat(facts.bytes) }))
  const deleted = await unitsOf(role.delete(identity))
  return { layout, put, update, delete: deleted, edgeBytes, storedBytes: after - before }
}

/** A node that holds as many entries as is typical. */
async function fill(
  handles: Readonly<Record<string, Handle>>,
  edge: DeclaredEdge,
  facts: EdgeFacts,
  into: string,
  identity: Row,
): Promise<void> {
  const far = edge.ends.find(({ name }) => name !== into)!
  for (let i = 1; i < Math.min(facts.ends[into]!.typical, facts.ends[into]!.most); i++) {
    const id = `${i}${ID}`.slice(0, ID.length)
    await handles[far.node.name]!.put({ id, [COPY]: '' }).run()
    await handles[edge.name]!.put({ ...identity, [far.name]: id, ...valuesOf(edge, facts) }).run()
  }
}

async function unitsOf(write: Write): Promise<Units> {
  const { consumed } = await write.run()
  const sum = (units: Readonly<Record<string, number>>) => Object.values(units).reduce((all, each) => all + each, 0)
  return { read: sum(consumed.read), write: sum(consumed.write) }
}

/** All items and all entries of indexes, as storage counts them. */
async function storedBytes(store: Store, { design }: Layout): Promise<number> {
  const places = [undefined, ...design.indexes.map(({ name }) => name)]
  const pages = await Promise.all(
    places.map(IndexName => store.scan({ TableName: design.name, ...(IndexName !== undefined && { IndexName }) })),
  )
  const items: Item[] = pages.flatMap(({ Items = [] }) => Items)
  return items.reduce((all, item) => all + itemBytes(item) + STORED_ITEM_BYTES, 0)
}

async function ownBytes(store: Store, { design, names }: Layout, mark: string): Promise<number> {
  const { Items = [] } = await store.scan({ TableName: design.name })
  const own = Items.filter(item => item[names.type]?.S === mark)
  return Math.max(...own.map(itemBytes))
}
