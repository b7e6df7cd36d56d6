import sortedBTree from 'sorted-btree'
import { memory } from '../src/engine/index.js'
import type { Bars } from './bars.js'
import { itemAt, loaded } from './engine-data.js'
import { LARGE, type Label, PAGE_ITEMS, REPETITIONS, SMALL, workloads } from './engine-work.js'
import { compare, nanoseconds, sequence, usedBytes, type Work } from './measure.js'

const clone = structuredClone
const sample = itemAt(42)
const text = JSON.stringify(Array.from({ length: PAGE_ITEMS }, (_, at) => itemAt(at)))
const FLOORS: Record<Label, { floor: Work; of: string; bar: number; repetitions: number }> = {
  GetItem: { floor: () => clone(sample), of: 'structuredClone', bar: 1.5, repetitions: REPETITIONS },
  'Query of 50': { floor: () => JSON.parse(text), of: 'JSON.parse of 50', bar: 0.7, repetitions: REPETITIONS / 10 },
  'Query of 50 on the GSI': {
    floor: () => JSON.parse(text),
    of: 'JSON.parse of 50',
    bar: 0.7,
    repetitions: REPETITIONS / 10,
  },
  PutItem: { floor: () => clone(sample), of: 'structuredClone', bar: 4, repetitions: REPETITIONS },
  'UpdateItem ADD': { floor: () => clone(sample), of: 'structuredClone', bar: 5, repetitions: REPETITIONS },
  'TransactWriteItems of 3': {
    floor: () => clone(sample),
    of: 'structuredClone',
    bar: 12,
    repetitions: REPETITIONS / 4,
  },
}

/** Measures the engine in memory, against floors, and with a million items. */
export async function measureMemory(bars: Bars): Promise<void> {
  console.log(`the engine in memory, ${SMALL} items of 200 B in partitions of 100, one inverted GSI (ALL)\n`)
  const small = workloads(await loaded(memory(), SMALL), SMALL)
  for (const [label, { floor, of, bar, repetitions }] of entriesOf(FLOORS)) {
    const { subject, floor: base, ratio } = await compare(small[label], floor, repetitions)
    bars.atMost(`${label}, in ${of}`, ratio, bar, `${(subject / 1000).toFixed(1)} µs to ${(base / 1000).toFixed(1)} µs`)
  }

  console.log(`\nthe same at ${LARGE} items, as a multiple of ${SMALL}\n`)
  const before = usedBytes()
  const store = await loaded(memory(), LARGE)
  const bytes = (usedBytes() - before) / LARGE
  const large = workloads(store, LARGE)
  for (const [label, { repetitions }] of entriesOf(FLOORS)) {
    const { subject, floor, ratio } = await compare(large[label], small[label], repetitions)
    bars.atMost(`${label}, growth`, ratio, 2, `${(subject / 1000).toFixed(1)} µs to ${(floor / 1000).toFixed(1)} µs`)
  }
  bars.report('a sorted tree alone, growth', (await treeGrowth()).toFixed(2))
  bars.atMost('an item of 8 attributes and its entry, KB', bytes / 1024, 1)
}

function entriesOf<Value>(record: Record<Label, Value>): [Label, Value][] {
  return Object.entries(record) as [Label, Value][]
}

/** Measures how the cost of a sorted tree alone grows with the same keys. */
async function treeGrowth(): Promise<number> {
  const large = await treeLookup(LARGE)
  return large / (await treeLookup(SMALL))
}

async function treeLookup(items: number): Promise<number> {
  const keyAt = (at: number) => `${itemAt(at).pk!.S}/${itemAt(at).sk!.S}`
  const tree = new sortedBTree.default<string, number>(undefined, (a, b) => (a < b ? -1 : a > b ? 1 : 0))
  for (let at = 0; at < items; at++) tree.set(keyAt(at), at)
  const random = sequence(3)
  // One key for each lookup, so that no round benefits from the processor's cache.
  const keys = Array.from({ length: REPETITIONS }, () => keyAt(random(items)))
  await nanoseconds(index => tree.get(keys[index]!), REPETITIONS)
  return nanoseconds(index => tree.get(keys[index]!), REPETITIONS)
}
