import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Item } from '../../../src/dynamodb/index.js'
import { countItemBytes } from '../../../src/dynamodb/size.js'
import { memory } from '../../../src/engine/memory.js'
import {
  add,
  type Call,
  counter,
  edge,
  exclude,
  graph,
  include,
  integer,
  layout,
  node,
  open,
  remove,
  type Store,
  set,
  string,
} from '../../../src/index.js'

const movie = node('movie', { name: string(), plot: string() }, { id: 'name', by: { plot: { in: ['plot'] } } })
const actor = node('actor', { name: string(), bio: string() }, { id: 'name' })
const role = edge('role', { movie, actor }, { text: string(), fee: integer() })
const cinema = graph('cinema', [movie, actor, role])

const TABLE = 'cinema'
const two = (n: number) => String(n).padStart(2, '0')

async function sizesIn(store: Store, type: string): Promise<{ items: number; itemBytes: number }> {
  const { Items = [] } = await store.scan({ TableName: TABLE })
  const sizes = Items.filter(item => item._type?.S === type).map(countItemBytes)
  expect(new Set(sizes).size).toBeLessThanOrEqual(1)
  return { items: sizes.length, itemBytes: sizes[0] ?? 100 }
}

async function agree(call: Call<unknown>, sizes: Parameters<Call<unknown>['explain']>[0]): Promise<void> {
  const { total } = call.explain(sizes)
  const { consumed, requests } = await call.run()
  expect({ requests, read: consumed.read, write: consumed.write }).toEqual(total)
}

test('the explained price equals the consumption when the existing items are given', async () => {
  const sized = fc.integer({ min: 0, max: 9_000 })
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 40 }), sized, sized, async (edges, text, bio) => {
      const store = memory()
      const g = await open(cinema, store)
      const made = { items: 1, itemBytes: 0 }
      await agree(g.movie.create({ name: 'Toy Story', plot: 'p'.repeat(1 + (text % 2000)) }), made)
      for (let i = 0; i < edges; i++) {
        await g.actor.put({ name: two(i), bio: 'b'.repeat(bio) })
        await agree(g.role.put({ movie: 'Toy Story', actor: two(i), text: 't'.repeat(text), fee: 1 }), made)
      }
      const [roles, actors, movies] = [
        await sizesIn(store, 'role'),
        await sizesIn(store, 'actor'),
        await sizesIn(store, 'movie'),
      ]
      await agree(g.movie.get('Toy Story'), movies)
      await agree(g.movie.get('Toy Story', { consistent: true }), movies)
      await agree(g.movie.by.plot({ plot: 'p'.repeat(1 + (text % 2000)) }).all(), movies)
      await agree(g.role.by.movie('Toy Story').all(), roles)
      await agree(g.role.by.movie('Toy Story').consistent().limit(3).all(), roles)
      await agree(g.role.by.movie('Toy Story').count(), roles)
      await agree(g.role.by.actor('00').all(), { ...roles, items: 1 })
      await agree(g.actor.many(Array.from({ length: edges }, (_, i) => two(i))), actors)
      if (roles.itemBytes === actors.itemBytes) await agree(g.role.by.movie('Toy Story').nodes().all(), roles)
    }),
    { numRuns: 15 },
  )
})

test('the price of an unread item assumes the given size, and that the item is in its indexes', async () => {
  const book = node(
    'book',
    { id: string(), text: string(), year: integer(), shelf: string().optional(), note: string().optional() },
    { id: 'id', by: { year: { order: ['year'] }, shelf: { in: ['shelf'] } } },
  )
  const cites = edge('cites', { from: book, to: book }, { page: integer(), text: string() })
  // Sizes in the middle of a unit, so that small changes do not change the number of units.
  const middle = fc.integer({ min: 0, max: 12 }).map(kilobytes => kilobytes * 1024 + 300)
  await fc.assert(
    fc.asyncProperty(middle, async bytes => {
      const g = await open(graph(TABLE, [book, cites]), memory())
      const text = 't'.repeat(bytes)
      for (const id of ['a', 'b']) await g.book.create({ id, text, year: 2000, shelf: 's' })
      await g.cites.put({ from: 'a', to: 'b', page: 1, text })
      const sized = { items: 1, itemBytes: bytes + 200 }
      await agree(g.book.update('a', { note: 'n' }), sized)
      await agree(g.book.update('a', { year: 2001 }), sized)
      await agree(g.book.update('a', { shelf: 't', year: 2002 }), sized)
      await agree(g.book.update('a', { shelf: remove() }), sized)
      await agree(g.cites.update({ from: 'a', to: 'b' }, { page: add(1) }), sized)
      await agree(g.cites.delete({ from: 'a', to: 'b' }), sized)
    }),
    { numRuns: 10 },
  )
})

test('the price of a counting node and of a preceding read assumes the given size', async () => {
  const user = node('user', { id: string(), bio: string(), follows: counter(), followers: counter() }, { id: 'id' })
  const page = node(
    'page',
    { id: string(), bio: string(), mail: string(), fans: counter() },
    { id: 'id', unique: ['mail'], by: { fans: { order: ['fans'] } } },
  )
  const follows = edge(
    'follows',
    { user, page },
    { text: string() },
    { count: { user: { into: 'follows' }, page: { into: 'fans' } } },
  )
  const middle = fc.integer({ min: 0, max: 12 }).map(kilobytes => kilobytes * 1024 + 300)
  await fc.assert(
    fc.asyncProperty(middle, async bytes => {
      const g = await open(graph('fans', [user, page, follows]), memory())
      const bio = 't'.repeat(bytes)
      const sized = { items: 1, itemBytes: bytes + 200 }
      await g.user.create({ id: 'a', bio })
      await g.page.create({ id: 'x', bio, mail: 'x@y' })
      await agree(g.follows.create({ user: 'a', page: 'x', text: bio }), sized)
      await agree(g.follows.update({ user: 'a', page: 'x' }, { text: bio.toUpperCase() }), sized)
      await agree(g.follows.delete({ user: 'a', page: 'x' }), sized)
      await agree(g.page.delete('x'), sized)
    }),
    { numRuns: 10 },
  )
})

const fan = node('fan', { id: string(), name: string(), liked: counter() }, { id: 'id' })
const song = node('song', { id: string(), liked: counter() }, { id: 'id' })
const likes = edge(
  'likes',
  { fan, song },
  { text: string() },
  {
    carry: { name: { from: 'fan.name', sync: 'eventual' } },
    count: { fan: { into: 'liked', by: 'stream' }, song: { into: 'liked', by: 'stream' } },
  },
)
const music = graph('music', [fan, song, likes])
const counted = { M: { life: { S: 'l' }, tag: { S: 't' }, of: { M: { liked: { N: '1' } } } } }

test('the price of a stream-counted edge includes its tombstone', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: 3_000 }), async text => {
      const store = memory()
      const g = await open(music, store, { follow: false })
      // Carried values, and with them the size of an edge, are known only from the existing items.
      const items = async () => (await store.scan({ TableName: 'music' })).Items ?? []
      // An estimate does not include carried values.
      const unknownBytes = 'name'.length + 'Ann'.length
      const isUnitMore = (item: Item) =>
        Math.ceil(countItemBytes(item) / 1024) > Math.ceil((countItemBytes(item) - unknownBytes) / 1024)
      const agreed = async (call: Call<unknown>) => {
        const { total } = call.explain({ items: 1, itemBytes: 0 })
        const existing = await items()
        const exact = call.explain({ existing }).total
        await agree(call, { existing })
        if (!(await items()).some(isUnitMore)) expect(total).toEqual(exact)
      }
      await agreed(g.fan.create({ id: 'a', name: 'Ann' }))
      await agreed(g.likes.create({ fan: 'a', song: 'x', text: 't'.repeat(text) }))
      await agreed(g.likes.put({ fan: 'a', song: 'y', text: 't'.repeat(text) }))
      await g.likes.put({ fan: 'a', song: 'y', text: '' })
      await agreed(g.likes.update({ fan: 'a', song: 'y' }, { text: '' }))
      const { Items = [] } = await store.scan({ TableName: 'music' })
      for (const { PK, SK } of Items.filter(item => item.text?.S === ''))
        await store.updateItem({
          TableName: 'music',
          Key: { PK: PK!, SK: SK! },
          UpdateExpression: 'SET #c = :c',
          ExpressionAttributeNames: { '#c': '_counted' },
          ExpressionAttributeValues: { ':c': counted },
        })
      await agreed(g.likes.delete({ fan: 'a', song: 'y' }))
    }),
    { numRuns: 15 },
  )
})

test('the price of a create after a read includes the etag, for every size', async () => {
  const user = node(
    'user',
    { id: string(), mail: string(), text: string(), followers: counter() },
    { id: 'id', unique: ['mail'] },
  )
  const follows = edge(
    'follows',
    { user, followed: user },
    { text: string() },
    { by: { followed: { as: 'mirror' } }, count: { followed: { into: 'followers' } } },
  )
  const g = await open(graph('users', [user, follows]), memory())
  await g.user.put({ id: 'x', mail: 'x', text: '' })
  for (let bytes = 800; bytes < 1024; bytes += 4) {
    const [id, text] = [String(bytes), 't'.repeat(bytes)]
    await agree(g.user.put({ id, mail: id, text }), { itemBytes: 0 })
    await agree(g.follows.put({ user: id, followed: 'x', text }), { itemBytes: 100 })
  }
})

test('a change has no price in an index that does not project the changed attributes', async () => {
  const user = node(
    'user',
    { id: string(), nick: string(), bio: string() },
    { id: 'id', by: { nick: { in: ['nick'] } } },
  )
  const written = async (project: 'keys' | readonly string[]) => {
    const indexes = { GSI1: { keys: ['GSI1PK', 'GSI1SK'], project } } as const
    const g = await open(layout(graph('users', [user]), { indexes }), memory())
    await g.user.put({ id: 'a', nick: 'ann', bio: 'x' })
    const call = g.user.update('a', { bio: 'y' })
    const { total } = call.explain()
    expect((await call.run()).consumed.write).toEqual(total.write)
    return total.write
  }
  expect(await written('keys')).toEqual({ table: 1 })
  expect(await written(['nick'])).toEqual({ table: 1 })
  expect(await written(['bio'])).toEqual({ table: 1, GSI1: 1 })
})

test('a change of projected attributes or keys has a price in an index that projects some attributes', async () => {
  const user = node(
    'user',
    {
      id: string(),
      nick: string(),
      bio: string().optional(),
      tags: set(string()).optional(),
      logins: integer().default(0),
      note: string().optional(),
    },
    { id: 'id', by: { nick: { in: ['nick'] } } },
  )
  const indexes = { GSI1: { keys: ['GSI1PK', 'GSI1SK'], project: ['bio', 'tags', 'logins'] } } as const
  const g = await open(layout(graph('users', [user]), { indexes }), memory())
  await g.user.put({ id: 'a', nick: 'ann', bio: 'x', tags: new Set(['a']), note: 'n' })
  const patches = [
    [{ tags: include('b') }, 1],
    [{ tags: exclude('a') }, 1],
    [{ bio: 'y' }, 1],
    [{ bio: remove() }, 1],
    [{ logins: add(1) }, 1],
    [{ note: remove() }, 0],
    [{ nick: 'anna' }, 2],
  ] as const
  for (const [patch, units] of patches) {
    const call = g.user.update('a', patch)
    const { write } = call.explain().total
    expect(write, JSON.stringify(patch)).toEqual(units > 0 ? { table: 1, GSI1: units } : { table: 1 })
    expect((await call.run()).consumed.write).toEqual(write)
  }
})

test('the price of a counted edge includes moving its node in an index that is sorted by the counter', async () => {
  const team = node('team', { id: string(), wins: counter() }, { id: 'id', by: { rank: { order: ['wins'] } } })
  const won = edge('won', { team, against: team }, {}, { count: { team: 'wins' }, by: { against: { as: 'none' } } })
  const g = await open(graph('league', [team, won]), memory())
  for (const id of ['a', 'b']) await g.team.put({ id })
  const call = g.won.create({ team: 'a', against: 'b' })
  const { write } = call.explain().total
  expect(write).toEqual({ table: 4, team_rank: 2 })
  expect((await call.run()).consumed.write).toEqual(write)
})

test('the price of a required node includes its check, also when a read precedes the put of the edge', async () => {
  const user = node(
    'user',
    { id: string(), bio: string(), rank: integer(), follows: counter() },
    {
      id: 'id',
      by: { rank: { order: ['rank'] } },
    },
  )
  const ways = [
    { onDelete: { followed: 'refuse' } },
    { by: { followed: { as: 'mirror' } }, onDelete: { user: 'cascade', followed: 'refuse' } },
    { by: { followed: { as: 'mirror' } } },
    { count: { user: 'follows' }, onDelete: { user: 'refuse', followed: 'cascade' } },
    { count: { user: 'follows' } },
  ] as const
  const bio = 'b'.repeat(1800)
  const [ends, sized] = [
    { user: 'a', followed: 'b' },
    { items: 1, itemBytes: 1900 },
  ]
  for (const options of ways) {
    const follows = edge('follows', { user, followed: user }, {}, options as { by: { followed: { as: 'mirror' } } })
    const g = await open(graph('users', [user, follows]), memory())
    for (const id of ['a', 'b']) await g.user.put({ id, bio, rank: 1 })
    for (const call of [g.follows.create(ends), g.follows.put(ends), g.follows.put(ends).checkingEnds()]) {
      const { write } = call.explain(sized).total
      expect((await call.run()).consumed.write, JSON.stringify(options)).toEqual(write)
      await g.follows.delete(ends)
    }
  }
})

test('the explained reads of a batch equal its requests, also next to a write that reads first', async () => {
  const user = node('user', { id: string(), mail: string(), bio: string() }, { id: 'id', unique: ['mail'] })
  const g = await open(graph('users', [user]), memory())
  for (const id of ['a', 'b']) await g.user.put({ id, mail: id, bio: 'b'.repeat(5000) })
  const batch = g.$batch([g.user.get('a'), g.user.update('b', { mail: 'c' })])
  const { steps, total } = batch.explain({ itemBytes: 5100 })
  const kinds = ['eventual', 'strong', undefined]
  expect(steps).toMatchObject(kinds.map(consistency => ({ price: { consistency } })))
  expect((await batch.run()).consumed.read).toEqual(total.read)
})

test('the price of an only edge that leads elsewhere, or does not exist, excludes a deletion from an index', async () => {
  const student = node('student', { name: string() }, { id: 'name' })
  const house = node('house', { no: string() }, { id: 'no' })
  const lives = edge('lives', { student, house }, {}, { one: 'student' })
  const store = memory()
  const g = await open(graph('town', [student, house, lives]), store)
  await g.lives.put({ student: 'Ann', house: '7' })
  for (const [name, no] of [
    ['Ann', '8'],
    ['Bob', '7'],
    ['Ann', '7'],
  ] as const) {
    const { Items: existing = [] } = await store.scan({ TableName: 'town' })
    await agree(g.lives.delete({ student: name, house: no }), { existing })
    expect(await g.lives.by.house('7').count()).toBe(name === 'Ann' && no === '7' ? 0 : 1)
  }
})

test('the price of a pointer entry does not depend on the size of its node', async () => {
  const bio = string()
  const user = node(
    'user',
    { id: string(), mail: string(), bio, tags: set(string()) },
    { id: 'id', unique: ['mail'], by: { tag: { in: ['tags'], as: 'item', shards: 2 } } },
  )
  const store = memory()
  const g = await open(graph(TABLE, [user]), store)
  for (let i = 0; i < 20; i++)
    await g.user.put({ id: two(i), mail: two(i), bio: 'b'.repeat(40_000), tags: new Set(['t']) })
  const sizes = await sizesIn(store, 'user')
  await agree(g.user.by.tag({ tags: 't' }).all(), sizes)
  await agree(g.user.by.mail('07'), sizes)
})

test('an explained read states its assumptions even when existing items are given, which apply only to writes', async () => {
  const g = await open(cinema, memory())
  const existing: Item[] = []
  const words = 'assuming items of 500 bytes'
  for (const call of [g.actor.get('a'), g.$transact([g.actor.get('a')])])
    expect(call.explain({ existing }).toString()).toContain(words)
  const user = node('user', { id: string(), mail: string() }, { id: 'id', unique: ['mail'] })
  const { steps, ...explained } = (await open(graph('users', [user]), memory())).user
    .put({ id: 'a', mail: 'a' })
    .explain({ existing })
  expect(steps).toHaveLength(2)
  expect(explained.toString()).not.toContain('reckoned')
})
