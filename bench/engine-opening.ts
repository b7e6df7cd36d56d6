import { readFileSync } from 'node:fs'
import { disk } from '../src/engine/index.js'
import { workloads } from './engine-work.js'

const READS = 20_000

/** The time to open a folder, and the private memory of the process after reading from it. */
export interface Opened {
  readonly openMs: number
  readonly privateBytes: number
}

const [, , path, items] = process.argv
const start = performance.now()
const store = disk(path!)
const { GetItem, 'Query of 50': query } = workloads(store, Number(items))
await GetItem(0)
const openMs = performance.now() - start
for (let index = 0; index < READS; index++) await (index % 10 === 0 ? query : GetItem)(index)
globalThis.gc?.()
globalThis.gc?.()
const [, kilobytes] = /^RssAnon:\s+(\d+) kB/m.exec(readFileSync('/proc/self/status', 'utf8'))!
const opened: Opened = { openMs, privateBytes: Number(kilobytes) * 1024 }
console.log(JSON.stringify(opened))
await store.close()
