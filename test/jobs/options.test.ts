import { expect, it } from 'vitest'
import { memory } from '../../src/engine/memory.js'
import { graph, node, open, string } from '../../src/index.js'
import { backfill, deploy, deployment, dump, finishDeletes, load, repair, verify } from '../../src/jobs/index.js'

const notes = graph('notes', [node('note', { id: string() }, { id: 'id' })])

it.each([null, { tabel: 'xyz' }])('unknown and invalid options of jobs are rejected: %o', async given => {
  const store = memory()
  const g = await open(notes, store)
  const options = given as never
  const jobs = [
    () => verify(g, options),
    () => repair(g, options),
    () => finishDeletes(g, options),
    () => dump(g, () => {}, options),
    () => load(g, [], options),
    () => backfill(notes, store, options),
    () => deploy(notes, store, options),
    () => deployment(notes, store, options),
  ]
  for (const job of jobs)
    await expect(job()).rejects.toMatchObject({ code: given ? 'option.unknown' : 'call.argument' })
  expect((await store.listTables({})).TableNames).toEqual(['notes'])
})

it.each([
  [
    { signal: new AbortController() },
    'signal: the value is not an AbortSignal; give the signal of an AbortController.',
  ],
  [{ signal: null }, 'signal: the value is not an AbortSignal; give the signal of an AbortController.'],
  [{ progress: 'dots' }, 'progress: the value is not a function; give a function.'],
])('signals and callbacks of jobs are checked before any request: %o', async (given, message) => {
  const store = memory()
  const g = await open(notes, store)
  await g.note.put({ id: 'a' })
  const options = given as never
  const jobs = [
    () => verify(g, options),
    () => repair(g, options),
    () => finishDeletes(g, options),
    () => load(g, [], options),
    () => backfill(notes, store, options),
    () => deploy(notes, store, options),
  ]
  for (const job of jobs) await expect(job()).rejects.toMatchObject({ code: 'call.argument', message })
})

it('a dump requires an array of types and a valid signal', async () => {
  const g = await open(notes, memory())
  for (const wrong of [{ types: 5 }, { types: { note: true } }, { signal: new AbortController() }])
    await expect(dump(g, () => {}, wrong as never)).rejects.toMatchObject({ code: 'call.argument' })
})

it.each([
  [null, 'call.argument'],
  [{ attempt: 1 }, 'option.unknown'],
])('a backfill rejects the retry options %o', async (retry, code) => {
  const store = memory()
  await expect(backfill(notes, store, { retry: retry as never })).rejects.toMatchObject({ code })
})
