import { expect, it } from 'vitest'
import { memory } from '../../../src/engine/memory.js'
import { counter, edge, embedded, graph, integer, layout, node, open, set, string } from '../../../src/index.js'
import { backfill, repair, verify } from '../../../src/jobs/index.js'

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

/**
 * A table of an old layout, a writer with it, and a writer with the new layout, which does not find items before their
 * migration.
 */
async function setUp(keys: object) {
  const store = memory()
  const after = layout(made, { keys: keys as never })
  const older = await open(made, store)
  for (const id of ['x', 'y', 'z']) await older.user.put({ id })
  await older.thing.put({ id: 't' })
  for (const a of ['x', 'y']) await older.likes.put({ a, b: 't', stars: 2 })
  return { store, after, older, newer: await open(after, store, { drift: 'allow' }) }
}

it('an edge that was written again at its new key is counted once, also if its node does not find it', async () => {
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

it('a node that was written again at its new key keeps aggregates of edges that it does not find', async () => {
  const { store, after, newer } = await setUp({ thing: { PK: 'THING#{id}', SK: '#' } })
  await newer.thing.put({ id: 't' })
  await newer.likes.put({ a: 'z', b: 't', stars: 1 })
  await backfill(after, store, { from: made })
  const g = await open(after, store)
  const notes = { x: { stars: 2 }, y: { stars: 2 }, z: { stars: 1 } }
  expect(await g.thing.get('t')).toEqual({ id: 't', fans: 3, stars: 5, notes })
})

it('an edge that a writer with the old layout wrote later leaves no aggregates in a node that does not find it', async () => {
  const { store, after, older, newer } = await setUp({ likes: { PK: 'user#{a}', SK: 'LIKES#{b}' } })
  await newer.likes.put({ a: 'z', b: 't', stars: 5 })
  await older.likes.put({ a: 'z', b: 't', stars: 1 })
  await backfill(after, store, { from: made })
  const g = await open(after, store)
  const notes = { x: { stars: 2 }, y: { stars: 2 }, z: { stars: 5 } }
  expect(await g.thing.get('t')).toEqual({ id: 't', fans: 3, stars: 9, notes })
})

/** An edge and its mirror. Only the edge has another key in the new layout. */
async function mirrored() {
  const likes = edge('likes', { a: user, b: thing }, { stars: integer() }, { by: { b: { as: 'mirror' } } })
  const before = graph('mirrored', [user, thing, likes])
  const after = layout(before, { keys: { likes: { PK: 'user#{a}', SK: 'LIKES#{b}' } } })
  const store = memory()
  const older = await open(before, store)
  await older.user.put({ id: 'x' })
  await older.thing.put({ id: 't' })
  await older.likes.put({ a: 'x', b: 't', stars: 1 })
  const newer = await open(after, store, { drift: 'allow' })
  const broughtUp = async () => {
    await backfill(after, store, { from: before })
    const g = await open(after, store)
    expect((await verify(g)).faults).toEqual({})
    return g.likes.by.b('t').all()
  }
  return { older, newer, broughtUp }
}

it('side items follow the newer item, also if a writer with the old layout wrote its own later', async () => {
  const tagged = node(
    'thing',
    { id: string(), size: integer(), tags: set(string()) },
    { id: 'id', by: { tag: { in: ['tags'], order: ['size'], as: 'item' } } },
  )
  const mirrored = edge('likes', { a: user, b: tagged }, { stars: integer() }, { by: { b: { as: 'mirror' } } })
  const before = graph('beside', [user, tagged, mirrored])
  const after = layout(before, {
    keys: { thing: { PK: 'thing#{id}', SK: 'root' }, likes: { PK: 'user#{a}', SK: 'LIKES#{b}' } },
  })
  const store = memory()
  const older = await open(before, store)
  const newer = await open(after, store, { drift: 'allow' })
  await older.user.put({ id: 'x' })
  await newer.thing.put({ id: 't', size: 5, tags: new Set(['both', 'new']) })
  await newer.likes.put({ a: 'x', b: 't', stars: 5 })
  await older.thing.put({ id: 't', size: 1, tags: new Set(['both', 'old']) })
  await older.likes.put({ a: 'x', b: 't', stars: 1 })
  await backfill(after, store, { from: before })
  const g = await open(after, store)
  expect((await verify(g)).faults).toEqual({})
  expect(await g.likes.by.b('t').all()).toEqual([{ a: 'x', b: 't', stars: 5 }])
  const found = await Promise.all(['both', 'new', 'old'].map(tags => g.thing.by.tag({ tags }).where({ size: 5 }).all()))
  expect(found.map(rows => rows.length)).toEqual([1, 1, 0])
})

it.each(['a repair', 'a put and a delete at the new key'])('a mirror that %s deleted is restored', async who => {
  const { newer, broughtUp } = await mirrored()
  if (who === 'a repair') await repair(newer)
  else {
    await newer.likes.put({ a: 'x', b: 't', stars: 1 })
    await newer.likes.delete({ a: 'x', b: 't' })
  }
  expect(await broughtUp()).toEqual([{ a: 'x', b: 't', stars: 1 }])
})

it('an edge that exists at its new key keeps its mirror after a delete by a writer with the old layout', async () => {
  const { older, newer, broughtUp } = await mirrored()
  await newer.likes.put({ a: 'x', b: 't', stars: 5 })
  await older.likes.delete({ a: 'x', b: 't' })
  expect(await broughtUp()).toEqual([{ a: 'x', b: 't', stars: 5 }])
})

it('the only edge of a node leaves no aggregates in another node that does not find it', async () => {
  const one = edge(
    'likes',
    { a: user, b: thing },
    { stars: integer() },
    { one: 'a', by: { b: { as: 'none' } }, count: { b: 'fans' }, embed: { b: { into: 'notes', max: 9 } } },
  )
  const before = graph('one', [user, thing, one])
  const after = layout(before, { keys: { likes: { PK: 'user#{a}', SK: 'LIKES' } } })
  const store = memory()
  const older = await open(before, store)
  await older.user.put({ id: 'x' })
  for (const id of ['t', 'u']) await older.thing.put({ id })
  const newer = await open(after, store, { drift: 'allow' })
  await newer.likes.put({ a: 'x', b: 't', stars: 5 })
  await older.likes.put({ a: 'x', b: 'u', stars: 1 })
  await backfill(after, store, { from: before })
  const g = await open(after, store)
  const [t, u] = await g.thing.many(['t', 'u'])
  expect([t?.fans, t?.notes, u?.fans, u?.notes]).toEqual([1, { x: { stars: 5 } }, 0, {}])
})
