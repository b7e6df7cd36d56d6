import { describe, expect, it } from 'vitest'
import { memory } from '../../src/engine/index.js'
import { graph, integer, node, open, string } from '../../src/index.js'
import { backfill, dump, finishDeletes, load, repair, verify } from '../../src/jobs/index.js'
import { source } from './load/sources.js'

const attributes = { id: string(), year: integer(), text: string() }
const movie = node('movie', attributes, { id: 'id' })
const cinema = graph('cinema', [movie])
const found = graph('cinema', [node('movie', attributes, { id: 'id', unique: ['text'] })])

const rows = Array.from({ length: 2000 }, (_, i) => ({ id: `${i}`, year: i, text: `${i}`.padEnd(2000, 'x') }))
const lines = rows.map(row => JSON.stringify({ type: 'movie', ...row })).join('\n')

async function setUp() {
  const store = memory()
  const g = await open(cinema, store)
  await g.$batch(rows.map(row => g.movie.put(row)))
  return { g, store }
}

type Scene = Awaited<ReturnType<typeof setUp>>
const jobs: Record<string, (scene: Scene, signal: AbortSignal) => Promise<unknown>> = {
  load: ({ g }, signal) =>
    load(g, [source('movies', 'json', lines, { chunkBytes: 65_536 })], { signal, concurrency: 4 }),
  dump: ({ g }, signal) => dump(g, () => undefined, { signal, segments: 1 }),
  verify: ({ g }, signal) => verify(g, { signal }),
  repair: ({ g }, signal) => repair(g, { signal }),
  backfill: ({ store }, signal) => backfill(found, store, { signal }),
  finishDeletes: ({ g }, signal) => finishDeletes(g, { signal }),
}

describe('a job on a store that resolves without I/O', () => {
  for (const [name, job] of Object.entries(jobs))
    it(`a timer stops a job on a store that resolves without I/O: ${name}`, async () => {
      const scene = await setUp()
      const stop = new AbortController()
      setTimeout(() => stop.abort(new Error('too long')))
      await expect(job(scene, stop.signal)).rejects.toThrow('too long')
    })

  // A store that lost a response throws an error with this name too.
  for (const [name, job] of Object.entries(jobs))
    it(`rejects with the reason of AbortSignal.timeout unchanged: ${name}`, async () => {
      const scene = await setUp()
      const reason = new DOMException('The operation was aborted due to timeout', 'TimeoutError')
      const stop = new AbortController()
      setTimeout(() => stop.abort(reason))
      await expect(job(scene, stop.signal)).rejects.toBe(reason)
    })
})
