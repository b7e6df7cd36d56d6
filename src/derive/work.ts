import type { Item, Key } from '../dynamodb/attribute-value.js'
import type { ChangeRecord } from '../dynamodb/operations/streams.js'
import type { Layout } from '../layout/layout.js'
import { canonical, sameValue } from '../plan/change-values.js'
import { keyOf, keyText } from '../plan/identity.js'
import { contributing } from '../plan/kept-by-stream.js'
import type { DeclaredEdge, DeclaredNode } from '../schema/declared.js'
import { keptByStream } from '../schema/kept-by-stream.js'
import { countedOf } from './counted.js'
import { type EdgeAt, edgeAt, mirrorKeys } from './edge.js'
import { type Images, imagesOf, isDerived } from './images.js'
import { carriedChanged, type NodeWork } from './node.js'
import { nodeOfSide, pathsOf, type Seen, seen } from './sides.js'
import { isSpent, isTombstone, nodeOfTombstone } from './tombstone.js'

/** Something to do, and the records that asked for it by their positions. */
interface Asked {
  readonly records: number[]
}

interface EdgeWork extends Asked {
  readonly edge: EdgeAt
  /** Where a mirror may lie that is of no edge any more. */
  readonly mirrors: Map<string, Key>
}

/** What is to be done to the counters of one node. */
interface CounterWork extends Asked {
  readonly node: Key
  readonly sides: Map<string, Key>
  /** As they were made. */
  readonly tombstones: Map<string, Item>
  /** Side items that went, as they were. */
  readonly removed: Seen[]
}

/** What a batch of records asks for, each node and each edge once: records only tell where to look. */
export interface Work {
  readonly nodes: Map<string, NodeWork & Asked>
  readonly edges: Map<string, EdgeWork>
  readonly counters: Map<string, CounterWork>
  skipped: number
}

export const noWork = (): Work => ({ nodes: new Map(), edges: new Map(), counters: new Map(), skipped: 0 })

/** Adds what a record asks for. Throws where its images cannot be read. */
export function addWork(layout: Layout, work: Work, record: ChangeRecord, at: number): void {
  const images = imagesOf(record)
  const { old, now } = images
  const image = now ?? old
  if (!image) work.skipped++
  else if (isDerived(layout, images)) addDerived(layout, work, images, at)
  else if (isTombstone(layout, image)) addTombstone(layout, work, now, at)
  else {
    const found = seen(layout, image)
    const type = found?.kind.type
    if (type?.kind === 'edge' && keptByStream(type)) addEdge(layout, work, found!, old, now, at)
    else if (type?.kind === 'node' && pathsOf(layout, type).length > 0) addNode(layout, work, type, old, now, at)
    else work.skipped++
  }
}

/** A derived write asks for nothing more, unless it changed a copy that a counter adds up. */
function addDerived(layout: Layout, work: Work, { old, now }: Images, at: number): void {
  const side = now && seen(layout, now)
  const isSummed = side?.kind.type.kind === 'edge' && changesContribution(layout, side, old)
  const node = isSummed ? countedNode(layout, side) : undefined
  if (!side || !node) {
    work.skipped++
    return
  }
  const key = keyOf(layout.names, side.item)
  const counters = countersAt(layout, work, node)
  counters.sides.set(keyText(layout, key), key)
  counters.records.push(at)
}

const changesContribution = (layout: Layout, { kind, item }: Seen, old: Item | undefined): boolean =>
  contributing(layout, kind).some(name => !sameValue(old?.[name], item[name]))

function addTombstone(layout: Layout, work: Work, now: Item | undefined, at: number): void {
  if (!now || isSpent(now)) {
    work.skipped++
    return
  }
  const key = keyOf(layout.names, now)
  const counters = countersAt(layout, work, nodeOfTombstone(now))
  counters.tombstones.set(keyText(layout, key), now)
  counters.records.push(at)
}

function addNode(
  layout: Layout,
  work: Work,
  type: DeclaredNode,
  old: Item | undefined,
  now: Item | undefined,
  at: number,
): void {
  const { life } = layout.names
  const copies = carriedChanged(layout, type, old, now)
  // One that is made anew over what has expired starts without a life too.
  const counts = now !== undefined && (!old || (old[life] !== undefined && now[life] === undefined))
  if (!copies && !counts) {
    work.skipped++
    return
  }
  const item = (now ?? old)!
  const text = keyText(layout, item)
  const asked = work.nodes.get(text) ?? { item, type, copies: false, counts: false, records: [] }
  asked.copies ||= copies
  asked.counts ||= counts
  asked.records.push(at)
  work.nodes.set(text, asked)
}

function addEdge(
  layout: Layout,
  work: Work,
  found: Seen,
  old: Item | undefined,
  now: Item | undefined,
  at: number,
): void {
  const edge = edgeAt(layout, found)
  // The one edge of a node has one key wherever it leads.
  const text = canonical([edge.type.name, edge.identity])!
  const asked: EdgeWork = work.edges.get(text) ?? { edge, mirrors: new Map<string, Key>(), records: [] as number[] }
  work.edges.set(text, asked)
  asked.records.push(at)
  const key = keyOf(layout.names, found.item)
  const before = old && seen(layout, old)
  const maybe = [...(found.kind.role === 'mirror' ? [key] : []), ...(before ? mirrorKeys(layout, before) : [])]
  for (const each of maybe) asked.mirrors.set(keyText(layout, each), each)
  const counted = countedNode(layout, found)
  if (!counted) return
  const counters = countersAt(layout, work, counted)
  // One that is made again has a record of its own.
  if (now) counters.sides.set(keyText(layout, key), key)
  // Others may have put it anew, without what was counted of it.
  if (before && countedOf(layout, before.item) && !(now && countedOf(layout, now))) counters.removed.push(before)
  counters.records.push(at)
}

/** The node in whose partition a side item lies, where it counts such edges. */
function countedNode(layout: Layout, side: Seen): Key | undefined {
  const { count, sum, undirected } = side.kind.type as DeclaredEdge
  const node = nodeOfSide(layout, side)
  const counts = [...count, ...sum].some(({ end, by }) => by === 'stream' && (undirected || end === node?.end.name))
  return counts ? node?.key : undefined
}

function countersAt(layout: Layout, { counters }: Work, node: Key): CounterWork {
  const text = keyText(layout, node)
  const made = counters.get(text) ?? {
    node,
    sides: new Map(),
    tombstones: new Map(),
    removed: [],
    records: [],
  }
  counters.set(text, made)
  return made
}
