import { describe, expect, it } from 'vitest'
import type { Item } from '../../src/dynamodb/attribute-value.js'
import { memory } from '../../src/engine/memory.js'
import { counter, date, edge, graph, integer, layout, node, open, string } from '../../src/index.js'
import { backfill, type FoundFault, repair, verify } from '../../src/jobs/index.js'
import type { Layout } from '../../src/layout/layout.js'
import type { Store } from '../../src/store/port.js'
import { toCreateTableInput } from '../../src/table/table-definition.js'

/** A table of another application. */
async function written(made: Layout, items: readonly Record<string, string | number>[]): Promise<Store> {
  const store = memory()
  await store.createTable(toCreateTableInput(made.design))
  for (const item of items) {
    const values = Object.entries(item).map(([name, value]) => [
      name,
      typeof value === 'number' ? { N: `${value}` } : { S: value },
    ])
    await store.putItem({ TableName: made.design.name, Item: Object.fromEntries(values) as Item })
  }
  return store
}

const itemsIn = async (store: Store, { design }: Layout) =>
  (await store.scan({ TableName: design.name })).Items!.filter(({ pk }) => pk?.S !== '$edgewise')

const faultsIn = async (g: object) => {
  const found: FoundFault[] = []
  await verify(g, { onFault: fault => found.push(fault) })
  return found.map(({ code, row }) => [code, row])
}

describe('foreign items with a type mark and other keys', () => {
  const movie = node(
    'movie',
    { name: string(), year: integer() },
    { id: 'name', by: { year: { in: ['year'], order: ['name'] } } },
  )
  const cinema = layout(graph('cinema', [movie]), {
    table: { keys: ['pk', 'sk'] },
    indexes: { gsi1: { keys: ['gsi1pk', 'gsi1sk'] } },
    raw: { fold: 'lower' },
    keys: {
      movie: { pk: '$cinema#name_{name}', sk: '$movie_1', gsi1pk: '$cinema#year_{year}', gsi1sk: '$movie_1#{name}' },
    },
  })
  /** Another version of the same entity, with its version number in the key. */
  const inVersion = (version: number, name: string, year: number) => ({
    pk: `$cinema#name_${name.toLowerCase()}`,
    sk: `$movie_${version}`,
    gsi1pk: `$cinema#year_${year}`,
    gsi1sk: `$movie_${version}#${name.toLowerCase()}`,
    _type: 'movie',
    name,
    year,
  })
  const items = [inVersion(1, 'Big', 1988), inVersion(2, 'Big', 1999), inVersion(2, 'Heat', 1995)]

  it('foreign items with a type mark and other keys are reported as unknown and not changed', async () => {
    const store = await written(cinema, items)
    const g = await open(cinema, store, { create: false })
    const before = await itemsIn(store, cinema)
    const unknown = [
      ['item.unknown', { pk: '$cinema#name_big', sk: '$movie_2' }],
      ['item.unknown', { pk: '$cinema#name_heat', sk: '$movie_2' }],
    ]
    expect(new Set(await faultsIn(g))).toEqual(new Set(unknown))
    expect((await backfill(cinema, store)).changed).toBe(0)
    expect((await repair(g)).repaired).toBe(0)
    expect(await itemsIn(store, cinema)).toEqual(before)
  })

  it('remain at their keys in a backfill that moves items', async () => {
    const store = await written(cinema, items)
    const moved = layout(graph('cinema', [movie]), {
      table: { keys: ['pk', 'sk'] },
      indexes: { gsi1: { keys: ['gsi1pk', 'gsi1sk'] } },
      raw: { fold: 'lower' },
      keys: {
        movie: { pk: '$cinema#name_{name}', sk: '$movie_3', gsi1pk: '$cinema#year_{year}', gsi1sk: '$movie_3#{name}' },
      },
    })
    expect((await backfill(moved, store, { from: cinema })).changed).toBe(1)
    // The second backfill meets the items at their new keys.
    expect((await backfill(moved, store, { from: cinema })).changed).toBe(0)
    const sorts = (await itemsIn(store, cinema)).map(({ name, sk }) => `${name!.S} ${sk!.S}`)
    expect(sorts.sort()).toEqual(['Big $movie_2', 'Big $movie_3', 'Heat $movie_2'])
  })

  it('verify reports all items of a table as unknown under a wrong schema, and a backfill moves none', async () => {
    const store = await written(cinema, items)
    const unfolded = layout(graph('cinema', [movie]), {
      table: { keys: ['pk', 'sk'] },
      indexes: { gsi1: { keys: ['gsi1pk', 'gsi1sk'] } },
      raw: true,
      keys: {
        movie: { pk: '$cinema#name_{name}', sk: '$movie_1', gsi1pk: '$cinema#year_{year}', gsi1sk: '$movie_1#{name}' },
      },
    })
    const before = await itemsIn(store, cinema)
    expect((await verify(await open(unfolded, store, { create: false }))).faults).toEqual({ 'item.unknown': 3 })
    expect((await backfill(unfolded, store)).changed).toBe(0)
    expect(await itemsIn(store, cinema)).toEqual(before)
  })

  it('do not include items whose case-folded values differ from their keys, or items in another shard', async () => {
    const user = node('user', { id: string() }, { id: 'id' })
    const follows = edge(
      'follows',
      { from: user, to: user },
      { no: integer({ min: 0, max: 999 }) },
      { key: ['no'], by: { from: { shards: 4 } } },
    )
    const social = layout(graph('social', [user, follows]), {
      table: { keys: ['pk', 'sk'] },
      raw: { fold: 'upper' },
      keys: { user: { pk: 'U#{id}', sk: 'U' }, follows: { pk: 'U#{from}#{shard}', sk: 'F#{to}#{no}' } },
    })
    const store = await written(social, [
      { pk: 'U#ANN', sk: 'U', _type: 'user', id: 'Ann' },
      { pk: 'U#BOB', sk: 'U', _type: 'user', id: 'bob' },
    ])
    const g = await open(social, store)
    await g.follows.put({ from: 'ann', to: 'Bob', no: 7 })
    const [own] = (await itemsIn(store, social)).filter(({ _type }) => _type!.S === 'follows')
    const { pk, sk } = own!
    const shard = Number(/\d$/.exec(pk!.S!)![0])
    const elsewhere = pk!.S!.replace(/\d$/, String((shard + 1) % 4))
    await store.deleteItem({ TableName: 'social', Key: { pk: pk!, sk: sk! } })
    await store.putItem({ TableName: 'social', Item: { ...own!, pk: { S: elsewhere } } })
    expect(await faultsIn(g)).toEqual([])
  })
})

it('foreign items among the edges of a node are not counted', async () => {
  const pupil = node('pupil', { id: string() }, { id: 'id' })
  const course = node('course', { id: string(), size: counter() }, { id: 'id' })
  const takes = edge('takes', { course, pupil }, {}, { count: { course: 'size' } })
  const school = layout(graph('school', [pupil, course, takes]), {
    table: { keys: ['pk', 'sk'] },
    raw: true,
    keys: {
      pupil: { pk: 'P#{id}', sk: 'P' },
      course: { pk: 'C#{id}', sk: 'C' },
      takes: { pk: 'C#{course}', sk: 'T#{pupil}', GSI1PK: 'P#{pupil}', GSI1SK: 'T#{course}' },
    },
  })
  const notes = [
    { pk: 'C#go', sk: 'T#ann#NOTE', _type: 'note', course: 'go', pupil: 'zed' },
    { pk: 'C#go', sk: 'T#bob#2', _type: 'takes', course: 'go', pupil: 'bob' },
  ]
  const store = await written(school, notes)
  const g = await open(school, store)
  await g.pupil.create({ id: 'ann' })
  await g.course.create({ id: 'go' })
  await g.takes.put({ course: 'go', pupil: 'ann' })
  expect((await verify(g)).faults).toEqual({ 'item.unknown': 2 })
  expect(await repair(g)).toMatchObject({ repaired: 0 })
  expect((await backfill(school, store)).changed).toBe(0)
  expect(await g.course.get('go')).toEqual({ id: 'go', size: 1 })
})

describe('foreign sentinels without an owner', () => {
  const user = node('user', { id: string(), email: string() }, { id: 'id', unique: ['email'] })
  const shop = layout(graph('shop', [user]), {
    table: { keys: ['pk', 'sk'] },
    raw: true,
    type: { attribute: 't', values: { user: 'User', 'user.email': '_Unique' } },
    keys: { user: { pk: 'user#{id}', sk: 'user', 'unique.email': { pk: '_unique#{email}', sk: '_unique' } } },
  })
  const items = [
    { pk: 'user#1', sk: 'user', t: 'User', id: '1', email: 'ann@example.com' },
    { pk: '_unique#ann@example.com', sk: '_unique', t: '_Unique', note: 'of another program' },
    { pk: '_unique#bob@example.com', sk: '_unique', t: '_Unique' },
  ]
  const work = {
    backfill: async (_: object, store: Store) => (await backfill(shop, store)).changed,
    repair: async (g: object) => (await repair(g)).repaired,
  }

  it.each(['backfill', 'repair'] as const)('a node claims the foreign sentinel with its value: %s', async by => {
    const store = await written(shop, items)
    const g = await open(shop, store, { create: false })
    expect(await work[by](g, store)).toBe(1)
    expect(await g.user.by.email('ann@example.com')).toEqual({ id: '1', email: 'ann@example.com' })
    const taken = (await itemsIn(store, shop)).find(({ pk }) => pk!.S === items[1]!.pk)
    expect(taken).toMatchObject({ id: { S: '1' }, t: { S: '_Unique' }, note: { S: 'of another program' } })
    // The meaning of the other item is unknown.
    expect(await faultsIn(g)).toEqual([['sentinel.orphan', { pk: '_unique#bob@example.com', sk: '_unique' }]])
    await g.user.update('1', { email: 'ann@example.org' })
    await g.user.create({ id: '2', email: 'ann@example.com' })
    await expect(g.user.create({ id: '3', email: 'bob@example.com' })).rejects.toMatchObject({ code: 'unique.taken' })
  })

  it('foreign sentinels that lack only the type mark belong to the owner that they name', async () => {
    const { t: _, ...unmarked } = { ...items[1]!, id: '1' }
    const store = await written(shop, [items[0]!, unmarked, { ...items[0]!, pk: 'user#2', id: '2' }])
    const g = await open(shop, store, { create: false })
    expect((await verify(g)).faults).toEqual({ 'sentinel.missing': 1, 'sentinel.taken': 1 })
    expect(await repair(g)).toMatchObject({ repaired: 1 })
    expect((await itemsIn(store, shop)).find(({ pk }) => pk!.S === unmarked.pk)).toMatchObject({
      id: { S: '1' },
      t: { S: '_Unique' },
      note: { S: 'of another program' },
    })
    expect(await faultsIn(g)).toEqual([['sentinel.taken', { id: '2', email: 'ann@example.com' }]])
  })

  it('foreign sentinels without an owner are reported as missing, and claimed for one of two nodes with their value', async () => {
    const store = await written(shop, [...items.slice(0, 2), { ...items[0]!, pk: 'user#2', id: '2' }])
    const g = await open(shop, store, { create: false })
    const { faults } = await verify(g)
    expect(faults).toEqual({ 'sentinel.orphan': 1, 'sentinel.missing': 2 })
    await repair(g)
    expect((await verify(g)).faults).toEqual({ 'sentinel.taken': 1 })
    await expect(backfill(shop, store)).rejects.toMatchObject({ code: 'unique.taken' })
  })
})

describe('foreign items without a type mark', () => {
  const dog = node('dog', { name: string(), age: integer() }, { id: 'name' })
  const kennel = layout(graph('kennel', [dog]), {
    table: { keys: ['pk', 'sk'] },
    raw: true,
    keys: { dog: { pk: 'DOG#{name}', sk: 'DOG' } },
  })
  const items = [
    { pk: 'DOG#Rex', sk: 'DOG', name: 'Rex', age: 3 },
    { pk: 'DOG#Max', sk: 'DOG', name: 'Max', age: 4, _type: 'dog' },
    // A foreign application uses the attribute for its own purpose.
    { pk: 'DOG#licenses', sk: 'DOG', name: 'licenses' },
  ]

  it('foreign items without a type mark are reported, because scans miss them, and marked by a repair', async () => {
    const store = await written(kennel, items)
    const g = await open(kennel, store, { create: false })
    expect((await g.dog.scan().all()).map(({ name }) => name)).toEqual(['Max'])
    expect(await faultsIn(g)).toEqual([['mark.missing', { name: 'Rex', age: 3 }]])
    expect(await repair(g)).toMatchObject({ repaired: 1, faults: { 'mark.missing': 1 } })
    expect((await g.dog.scan().all()).map(({ name }) => name).sort()).toEqual(['Max', 'Rex'])
    expect(await faultsIn(g)).toEqual([])
    const left = (await itemsIn(store, kennel)).find(({ pk }) => pk!.S === 'DOG#licenses')
    expect(left).not.toHaveProperty('_type')
  })
})

describe('foreign undirected edges without a type mark, one at the key of each end', () => {
  const player = node('player', { name: string() }, { id: 'name' })
  const friends = edge('friends', { player, friend: player }, { since: integer() }, { undirected: true })
  const games = graph('games', [player, friends])
  const table = { keys: ['pk', 'sk'] } as const
  const encoded = layout(games, { table })
  const raw = layout(games, {
    table,
    raw: true,
    keys: {
      player: { pk: '{name}', sk: '#METADATA' },
      friends: { pk: '{player}', sk: 'FRIENDS#{friend}', mirror: { pk: '{friend}', sk: 'FRIENDS#{player}' } },
    },
  })
  const both = (player: string, friend: string) =>
    [...new Set([`${player} ${friend}`, `${friend} ${player}`])].map(pair => pair.split(' ') as [string, string])
  const pairs = [...both('Ann', 'Bob'), ...both('Cy', 'Bob'), ...both('Ann', 'Ann')]
  const since = 2020
  const items = pairs.map(([player, friend]) => ({ pk: player, sk: `FRIENDS#${friend}`, player, friend, since }))
  const inOrder = ({ player, friend }: (typeof items)[0]) =>
    player < friend ? { player, friend } : { player: friend, friend: player }
  const tables: [string, Layout, Record<string, string | number>[]][] = [
    ['encoded', encoded, pairs.map(([one, other]) => ({ pk: `player#${one}`, sk: `friends#${other}`, since }))],
    ['raw, each with its ends as the first sees them', raw, items],
    ['raw, both with their ends in one order', raw, items.map(item => ({ ...item, ...inOrder(item) }))],
  ]

  for (const [keys, made, others] of tables)
    it(`foreign undirected edges are one edge each and found by every read after a backfill or a repair: keys are ${keys}`, async () => {
      for (const mend of ['backfill', 'repair'] as const) {
        const store = await written(made, others)
        const g = await open(made as typeof raw, store, { create: false })
        await g.$batch(['Ann', 'Bob', 'Cy'].map(name => g.player.put({ name })))
        expect((await faultsIn(g)).filter(([code]) => code === 'mark.missing')).toHaveLength(3)
        await (mend === 'repair' ? repair(g) : backfill(made, store))
        expect(await faultsIn(g)).toEqual([])
        const rows = await g.friends.scan().all()
        expect(rows.map(({ player, friend }) => `${player} ${friend}`).sort()).toEqual(['Ann Ann', 'Ann Bob', 'Bob Cy'])
        expect((await g.friends.by.player('Bob').all()).map(({ friend }) => friend)).toEqual(['Ann', 'Cy'])
        await g.friends.delete({ player: 'Bob', friend: 'Ann' })
        expect(await itemsIn(store, made)).toHaveLength(6)
      }
    })
})

describe('a foreign time to live', () => {
  const table = { keys: ['pk', 'sk'], expires: 'ttl' } as const
  const physical = { table, raw: true, keys: { session: { pk: 'S#{id}', sk: 'S' } } } as const
  const attributes = { id: string(), until: date().optional(), later: date().optional() }
  const sessions = (options: { expires?: 'until' | 'later' }) =>
    layout(graph('sessions', [node('session', attributes, { id: 'id', ...options })]), physical)
  const ttl = 4922899200
  const theirs = { pk: 'S#theirs', sk: 'S', _type: 'session', id: 'theirs', ttl }
  const unmarked = { pk: 'S#unmarked', sk: 'S', id: 'unmarked', ttl }
  const timesIn = async (store: Store, made: Layout) =>
    Object.fromEntries((await itemsIn(store, made)).map(({ id, ttl }) => [id?.S, ttl?.N]))

  it.each([['where the type has no such time', {}] as const, ['beside one of ours', { expires: 'until' }] as const])(
    'remains, %s, when its item is migrated or repaired',
    async (_, options) => {
      const made = sessions(options)
      const kept = { theirs: `${ttl}`, unmarked: `${ttl}` }
      const repairedStore = await written(made, [theirs, unmarked])
      const g = await open(made, repairedStore)
      expect((await verify(g)).faults).toEqual({ 'mark.missing': 1 })
      await repair(g)
      expect(await timesIn(repairedStore, made)).toEqual(kept)
      const store = await written(made, [theirs, unmarked])
      expect((await backfill(made, store)).changed).toBe(1)
      expect(await timesIn(store, made)).toEqual(kept)
    },
  )

  it('the old layout distinguishes a foreign time to live from ours if ours is renamed or removed', async () => {
    const before = sessions({ expires: 'until' })
    const store = await written(before, [])
    const g = await open(before, store)
    const [until, later] = [new Date('2126-01-01'), new Date('2127-01-01')]
    await g.session.put({ id: 'ours', until })
    await g.session.put({ id: 'both', until, later })
    const after = sessions({ expires: 'later' })
    await expect(backfill(after, store)).rejects.toThrow(`type 'session': expires was "until", is "later"`)
    await backfill(after, store, { from: before })
    expect(await timesIn(store, after)).toEqual({ ours: undefined, both: `${later.getTime() / 1000}` })
    await backfill(sessions({}), store, { from: after })
    expect(await timesIn(store, after)).toEqual({ ours: undefined, both: undefined })
  })
})
