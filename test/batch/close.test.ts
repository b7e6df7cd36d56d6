import { expect, it } from 'vitest'
import { openBatch } from '../../src/batch/index.js'
import { memory } from '../../src/engine/memory.js'
import { graph, node, open, string } from '../../src/index.js'

const user = node('user', { id: string() }, { id: 'id' })

async function opened() {
  const store = memory()
  const g = await open(graph('social', [user]), store)
  await g.user.put({ id: 'ann' })
  return openBatch(g.$layout, { from: { store }, threads: 2 })
}

const SLOW = 'SELECT count(*) AS n FROM range(200000) AS a, range(20000) AS b WHERE (a.range * b.range) % 7 = 3'
const CLOSED = { code: 'batch.sql', message: expect.stringContaining('the data was closed; open it again') }

it('data that is closed while a query runs rejects the query', async () => {
  const data = await opened()
  const running = data.rows(SLOW)
  const waiting = data.rows('SELECT 1 AS one')
  running.catch(() => undefined)
  waiting.catch(() => undefined)
  await new Promise(resolve => setTimeout(resolve, 100))
  const beginMs = Date.now()
  data.close()
  await expect(running).rejects.toMatchObject(CLOSED)
  await Promise.allSettled([waiting])
  expect(Date.now() - beginMs).toBeLessThan(10_000)
  await expect(data.rows('SELECT 1')).rejects.toMatchObject(CLOSED)
  data.close()
}, 60_000)

it('data that is closed while chunks are read rejects the next chunk', async () => {
  const data = await opened()
  let read = 0
  const reading = async () => {
    for await (const chunk of data.chunks('SELECT range FROM range(1000000)')) {
      read += chunk.length
      data.close()
    }
  }
  await expect(reading()).rejects.toMatchObject(CLOSED)
  expect(read).toBeGreaterThan(0)
  expect(read).toBeLessThan(1_000_000)
})

it('data of a finished scope rejects a query that was not awaited', async () => {
  let running: Promise<unknown>
  {
    await using data = await opened()
    running = data.rows(SLOW)
    running.catch(() => undefined)
  }
  await expect(running).rejects.toMatchObject(CLOSED)
}, 60_000)
