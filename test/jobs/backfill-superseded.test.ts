import { expect, it } from 'vitest'
import { memory } from '../../src/engine/memory.js'
import { counter, edge, embedded, graph, integer, layout, node, open, string } from '../../src/index.js'
import { backfill, repair, verify } from '../../src/jobs/index.js'

const user = node('user', { id: string() }, { id: 'id' })
const kept = { fans: counter(), stars: counter(), notes: embedded({ stars: integer() }) }
const thing = node('thing', { id: string(), ...kept }, { id: 'id' })
const likes = edge(
  'likes',
  { a: user, b: thing },
  { stars: integer() },
  {
    by: { b: { as: 'none' } },
    count: { b: 'fans' },
    sum: { b: { into: 'stars', of: 'stars' } },
    embed: { b: { into: 'notes', max: 9 } },
  },
)
const made = graph('likes', [user, thing, likes])

/** A table written under a layout, one who writes under it, and one under the next, who does not find what is not moved yet. */
async function setUp(keys: object) {
  const store = memory()
  const after = layout(made, { keys: keys as never })
  const older = await open(made, store)
  for (const id of ['x', 'y', 'z']) await older.user.put({ id })
  await older.thing.put({ id: 't' })
  for (const a of ['x', 'y']) await older.likes.put({ a, b: 't', stars: 2 })
  return { store, after, newer: await open(after, store, { drift: 'allow' }) }
}

it('an edge that was put again where it belongs is counted once, also where its node does not find it', async () => {
  const { store, after, newer } = await setUp({ likes: { PK: 'user#{a}', SK: 'LIKES#{b}' } })
  await newer.likes.put({ a: 'x', b: 't', stars: 5 })
  await newer.likes.put({ a: 'z', b: 't', stars: 1 })
  await backfill(after, store, { from: made })
  const g = await open(after, store)
  const notes = { x: { stars: 5 }, y: { stars: 2 }, z: { stars: 1 } }
  expect(await g.thing.get('t')).toEqual({ id: 't', fans: 3, stars: 8, notes })
  for (const a of ['x', 'y', 'z']) await g.likes.delete({ a, b: 't' })
  expect(await g.thing.get('t')).toEqual({ id: 't', fans: 0, stars: 0, notes: {} })
})

it('a node that was put again where it belongs keeps what it does not find of its edges', async () => {
  const { store, after, newer } = await setUp({ thing: { PK: 'THING#{id}', SK: '#' } })
  await newer.thing.put({ id: 't' })
  await newer.likes.put({ a: 'z', b: 't', stars: 1 })
  await backfill(after, store, { from: made })
  const g = await open(after, store)
  const notes = { x: { stars: 2 }, y: { stars: 2 }, z: { stars: 1 } }
  expect(await g.thing.get('t')).toEqual({ id: 't', fans: 3, stars: 5, notes })
})

it.each(['a repair', 'who put and deleted it where it belongs'])('a mirror that %s took away comes back', async who => {
  const mirrored = edge('likes', { a: user, b: thing }, {}, { by: { b: { as: 'mirror' } } })
  const before = graph('mirrored', [user, thing, mirrored])
  const after = layout(before, { keys: { likes: { PK: 'user#{a}', SK: 'LIKES#{b}' } } })
  const store = memory()
  const older = await open(before, store)
  await older.user.put({ id: 'x' })
  await older.thing.put({ id: 't' })
  await older.likes.put({ a: 'x', b: 't' })
  const newer = await open(after, store, { drift: 'allow' })
  if (who === 'a repair') await repair(newer)
  else {
    await newer.likes.put({ a: 'x', b: 't' })
    await newer.likes.delete({ a: 'x', b: 't' })
  }
  await backfill(after, store, { from: before })
  const g = await open(after, store)
  expect((await verify(g)).faults).toEqual({})
  expect(await g.likes.by.b('t').all()).toEqual([{ a: 'x', b: 't' }])
})
