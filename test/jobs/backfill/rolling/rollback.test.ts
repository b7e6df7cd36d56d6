import { expect, it } from 'vitest'
import { memory } from '../../../../src/engine/memory.js'
import { counter, edge, graph, integer, node, open, string } from '../../../../src/index.js'
import { backfill, verify } from '../../../../src/jobs/index.js'

const attributes = { name: string(), year: integer(), cast: counter() }
const actor = node('actor', { name: string() }, { id: 'name' })
const count = { count: { movie: 'cast' } } as const

const movie = node('movie', attributes, { id: 'name' })
const previous = graph('cinema', [movie, actor, edge('role', { movie, actor }, { part: string() }, count)])

/** Adds a path by year, and mirrors each role so that both ends read it consistently. */
const dated = node('movie', attributes, { id: 'name', by: { year: { order: ['year'] } } })
const mirrored = edge(
  'role',
  { movie: dated, actor },
  { part: string() },
  { ...count, by: { actor: { as: 'mirror' } } },
)
const next = graph('cinema', [dated, actor, mirrored])

/** Changes the keys of the table itself: movies are identified by year and name. */
const byYear = node('movie', attributes, { id: ['year', 'name'] })
const renamed = graph('cinema', [byYear, actor])

const casts = [{ movie: 'Big', actor: 'Tom Hanks', part: 'Josh' }]

it('a rollback keeps the writes of both layouts, their counters, and leaves no trace of the new one', async () => {
  const store = memory()
  const g = await open(previous, store)
  await g.movie.put({ name: 'Big', year: 1988 })
  await g.actor.put({ name: 'Tom Hanks' })
  for (const row of casts) await g.role.put(row)
  const { Items: before } = await store.scan({ TableName: 'cinema' })

  await backfill(next, store)
  const forward = await open(next, store)
  expect(await forward.movie.by.year().all()).toHaveLength(1)
  await forward.movie.put({ name: 'Alien', year: 1979 })
  await forward.role.put({ movie: 'Alien', actor: 'Tom Hanks', part: 'none' })
  await expect(open(previous, store)).rejects.toMatchObject({ code: 'layout.drift' })

  await backfill(previous, store, { from: next })
  const back = await open(previous, store)
  expect((await verify(back)).faults).toEqual({})
  expect(await back.movie.get('Alien')).toMatchObject({ year: 1979, cast: 1 })
  expect(await back.movie.get('Big')).toMatchObject({ year: 1988, cast: 1 })
  expect(await back.role.by.actor('Tom Hanks').all()).toHaveLength(2)

  await back.role.delete({ movie: 'Alien', actor: 'Tom Hanks' })
  await back.movie.delete('Alien')
  const { Items: after } = await store.scan({ TableName: 'cinema' })
  const namesOf = (items: typeof before) => items!.map(item => Object.keys(item).sort().join()).sort()
  expect(namesOf(after)).toEqual(namesOf(before))
})

it('a rollback of changed table keys moves every item back to the key that it had', async () => {
  const store = memory()
  const alone = graph('cinema', [movie, actor])
  const g = await open(alone, store)
  for (const [i, name] of ['Big', 'Alien', 'Heat'].entries()) await g.movie.put({ name, year: 1979 + i })
  const keysIn = async () => {
    const { Items } = await store.scan({ TableName: 'cinema' })
    return Items!.map(({ PK, SK }) => `${PK?.S} ${SK?.S}`).sort()
  }
  const before = await keysIn()
  await backfill(renamed, store, { from: alone })
  expect(await keysIn()).not.toEqual(before)
  await backfill(alone, store, { from: renamed })
  expect(await keysIn()).toEqual(before)
  expect((await verify(await open(alone, store))).faults).toEqual({})
})
