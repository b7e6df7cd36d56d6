import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { disk } from '../src/engine/index.js'
import type { Bars } from './bars.js'
import { createBenchTable, putBatch } from './engine-data.js'
import { benchFolder } from './engine-disk.js'
import type { Opened } from './engine-opening.js'
import { LARGE, REPETITIONS, SMALL, workloads } from './engine-work.js'
import { compare, median } from './measure.js'

/** The number of concurrent batches. */
const BATCHES_IN_FLIGHT = 40
const PROCESSES = 3
const OPENING_MS = 200
/** The variation of a process between runs. */
const MEMORY_BYTES = 4_000_000
const GROWTH = 1.5

/** Measures loading a million items on disk, opening the folder and reading from it. */
export async function measureMillion(bars: Bars): Promise<void> {
  console.log(`\nthe engine on disk at ${LARGE} items\n`)
  const folder = benchFolder()
  const paths = { small: join(folder, 'small'), large: join(folder, 'large') }
  await bulkLoad(paths.small, SMALL)
  bars.report('a bulk load, items a second', (await bulkLoad(paths.large, LARGE)).toFixed(0))
  const small = opened(paths.small, SMALL)
  const large = opened(paths.large, LARGE)
  bars.atMost('opening, ms', large.openMs, OPENING_MS, `${small.openMs.toFixed(1)} ms at ${SMALL} items`)
  const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`
  const growth = (large.privateBytes - small.privateBytes) / MEMORY_BYTES
  const detail = `${megabytes(small.privateBytes)} at ${SMALL} items, ${megabytes(large.privateBytes)} at ${LARGE}`
  bars.atMost(`private memory, growth in ${megabytes(MEMORY_BYTES)}`, growth, 1, detail)
  await compareGrowth(bars, paths)
}

async function bulkLoad(path: string, items: number): Promise<number> {
  const store = disk(path)
  const start = performance.now()
  await createBenchTable(store)
  let first = 0
  const loader = async () => {
    while (first < items) {
      const { next, done } = putBatch(store, first, items)
      first = next
      await done
    }
  }
  await Promise.all(Array.from({ length: BATCHES_IN_FLIGHT }, loader))
  const seconds = (performance.now() - start) / 1000
  await store.close()
  return items / seconds
}

/** Returns the medians of new processes that open the folder and read random items. */
function opened(path: string, items: number): Opened {
  const program = fileURLToPath(new URL('engine-opening.js', import.meta.url))
  const words = ['--expose-gc', program, path, String(items)]
  const runs = Array.from({ length: PROCESSES }, () => {
    return JSON.parse(execFileSync(process.execPath, words, { encoding: 'utf8' })) as Opened
  })
  return {
    openMs: median(runs.map(run => run.openMs)),
    privateBytes: median(runs.map(run => run.privateBytes)),
  }
}

async function compareGrowth(bars: Bars, paths: { small: string; large: string }): Promise<void> {
  const stores = { small: disk(paths.small), large: disk(paths.large) }
  const small = workloads(stores.small, SMALL)
  const large = workloads(stores.large, LARGE)
  for (const [label, repetitions] of [
    ['GetItem', REPETITIONS],
    ['Query of 50', REPETITIONS / 10],
    ['Query of 50 on the GSI', REPETITIONS / 10],
  ] as const) {
    const { subject, floor, ratio } = await compare(large[label], small[label], repetitions)
    const detail = `${(subject / 1000).toFixed(1)} µs to ${(floor / 1000).toFixed(1)} µs`
    bars.atMost(`${label} on disk, growth`, ratio, GROWTH, detail)
  }
  await stores.small.close()
  await stores.large.close()
}
