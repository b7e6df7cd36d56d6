import { PutCommand } from '@aws-sdk/lib-dynamodb'
import { describe, expect, it } from 'vitest'
import { memory } from '../../../src/engine/index.js'
import { open } from '../../../src/graph/open.js'
import { remove } from '../../../src/index.js'
import { deploy, deployment } from '../../../src/jobs/index.js'
import { itemsOf } from '../../../src/layout/items/items.js'
import { layout } from '../../../src/layout/layout.js'
import { proveLayout } from '../../../src/layout/proof/layout-proof.js'
import { date, edge, graph, integer, node, string } from '../declarations.js'
import { adopt, described, readOf } from './adopted-table.js'

const movie = node(
  'movie',
  { title: string(), year: integer(), genre: string().optional() },
  { id: 'title', by: { genre: { in: ['genre'], order: ['title'] } } },
)
const actor = node('actor', { name: string() }, { id: 'name' })
const role = edge('role', { movie, actor }, { since: date() }, { by: { actor: { order: ['since'] } } })

/**
 * Keys in capitals with `|` between their parts, a type mark of one letter, and short names. One index has composed
 * keys, the other plain attributes.
 */
const made = layout(graph('cinema', [movie, actor, role]), {
  table: { keys: ['hash', 'range'] },
  indexes: { actors: { keys: ['actorHash', 'actorRange'], project: 'keys' }, genres: { keys: ['genre', 'title'] } },
  raw: { separator: '|', fold: 'upper' },
  type: { attribute: 't', values: { movie: 'M', actor: 'A', role: 'R' } },
  names: { movie: { year: 'y' }, role: { movie: 'film', actor: 'who', since: 's' } },
  keys: {
    movie: { hash: 'MOVIE|{title}', range: 'MOVIE|{title}', genre: '{genre}', title: '{title}' },
    actor: { hash: 'ACTOR|{name}', range: 'ACTOR|{name}' },
    role: {
      hash: 'MOVIE|{movie}',
      range: 'ROLE|{actor}',
      actorHash: 'ACTOR|{actor}',
      actorRange: 'ROLE|{since}|{movie}',
    },
  },
})

const key = (...parts: string[]) => parts.join('|').toUpperCase()

/** The items of an existing program. */
const written = (title: string, name: string, since: string) => [
  { hash: key('movie', title), range: key('movie', title), t: 'M', title, y: 1995, genre: 'Animation' },
  { hash: key('movie', 'Big'), range: key('movie', 'Big'), t: 'M', title: 'Big', y: 1988 },
  { hash: key('actor', name), range: key('actor', name), t: 'A', name },
  {
    hash: key('movie', title),
    range: key('role', name),
    actorHash: key('actor', name),
    actorRange: key('role', since, title),
    t: 'R',
    film: title,
    who: name,
    s: since,
  },
]

describe('a hand-designed table', () => {
  const since = '1995-11-22T00:00:00.000Z'

  it('has the items that the layout describes', async () => {
    const { client, table, items } = await adopt(made)
    for (const Item of written('Toy Story', 'Tom Hanks', since))
      await client.send(new PutCommand({ TableName: table, Item }))
    expect(await items()).toEqual(
      described(made, {
        movie: [
          { title: 'Toy Story', year: 1995, genre: 'Animation' },
          { title: 'Big', year: 1988 },
        ],
        actor: [{ name: 'Tom Hanks' }],
        role: [{ movie: 'Toy Story', actor: 'Tom Hanks', since: new Date(since) }],
      }),
    )
  })

  it('a hand-designed table is read by its own indexes', () => {
    expect(readOf(made, 'role.by.actor', { actor: { S: 'Tom Hanks' } })).toEqual({
      index: 'actors',
      partition: 'ACTOR|TOM HANKS',
      sort: { beginning: 'ROLE|' },
    })
    expect(readOf(made, 'movie.by.genre', { genre: { S: 'Animation' } })).toEqual({
      index: 'genres',
      partition: 'Animation',
      sort: {},
    })
    expect(made.design.keys).toEqual({ partition: 'hash', sort: 'range' })
    expect(made.design.indexes.map(({ name }) => name)).toEqual(['actors', 'genres'])
    expect(proveLayout(made)).toEqual([])
  })

  it('a hand-designed table rejects values that contain a separator of its key', () => {
    const keys = { movie: { PK: 'MOVIE|{title}|{year}', SK: 'MOVIE' } }
    const dated = node('movie', { title: string(), year: integer() }, { id: ['title', 'year'] })
    const strict = layout(graph('cinema', [dated]), { raw: { separator: '|' }, keys })
    const items = (title: string) => itemsOf(strict, { movie: [{ title, year: 1995 }] })
    expect(items('Toy#Story')[0]!.item.PK).toEqual({ S: 'MOVIE|Toy#Story|1995' })
    expect(() => items('Toy|Story')).toThrow(expect.objectContaining({ code: 'key.separator' }))
  })

  it('attributes stored under the name of a different key are rejected', () => {
    const cinema = graph('cinema', [movie])
    const code = expect.objectContaining({ code: 'layout.name' })
    const indexes = { years: { keys: ['year'] } } as const
    expect(() => layout(cinema, { table: { keys: ['title', 'range'] }, keys: { movie: { range: 'x' } } })).toThrow(code)
    // A number is text in a composed key, and a number in an attribute.
    expect(() => layout(cinema, { raw: true, indexes, keys: { movie: { year: 'Y{year}' } } })).toThrow(code)
    expect(() => layout(cinema, { raw: true, indexes })).toThrow(code)
  })

  it('stored names for unknown attributes of a hand-designed table are rejected', () => {
    const code = expect.objectContaining({ code: 'layout.type' })
    expect(() => layout(graph('cinema', [movie]), { marks: { film: { v: '1' } } })).toThrow(code)
    expect(() => layout(graph('cinema', [movie]), { names: { film: { title: 't' } } })).toThrow(code)
    expect(() => layout(graph('cinema', [movie]), { type: { attribute: 't', values: { film: 'F' } } })).toThrow(code)
  })
})

describe('a table with a local index', () => {
  const user = node('user', { id: string() }, { id: 'id' })
  const order = node(
    'order',
    { no: string(), date: string(), total: integer() },
    { id: 'no', within: user, by: { date: { as: 'local', order: ['date'] } } },
  )
  const shop = graph('shop', [user, order])
  const dated = layout(shop, {
    indexes: { byDate: { keys: ['PK', 'date'], kind: 'local', project: ['total'] } },
    raw: true,
    keys: {
      user: { PK: 'U#{id}', SK: 'U' },
      order: { PK: 'U#{user}', SK: 'O#{no}', date: '{date}' },
    },
  })

  it('a table with a local index is created with it and supports consistent reads of it', async () => {
    const store = memory()
    const g = await open(dated, store)
    const { Table } = await store.describeTable({ TableName: 'shop' })
    expect(Table!.GlobalSecondaryIndexes).toBeUndefined()
    expect(Table!.LocalSecondaryIndexes).toMatchObject([
      { IndexName: 'byDate', Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: ['total'] } },
    ])
    const rows = [
      { user: 'ann', no: '2', date: '2026-01-01', total: 5 },
      { user: 'ann', no: '1', date: '2026-02-01', total: 7 },
    ]
    for (const row of rows) await g.order.put(row)
    expect(await g.order.by.date({ user: 'ann' }).consistent().all()).toEqual(rows)
    expect(await open(dated, store).then(again => again.order.by.date({ user: 'ann' }).count())).toBe(2)
  })

  it('a default local index can have another projection than all', () => {
    const indexes = { LSI1: { keys: ['PK', 'LSI1SK'], kind: 'local', project: 'keys' } } as const
    expect(layout(shop, { indexes }).design.indexes).toMatchObject([{ name: 'LSI1', kind: 'local', project: 'keys' }])
  })
})

describe('a table with a configured expiry attribute', () => {
  const session = node('session', { id: string(), until: date().optional() }, { id: 'id', expires: 'until' })
  const options = { table: { expires: 'ttl' }, raw: true, keys: { session: { PK: 'S#{id}', SK: 'S' } } } as const
  const timed = layout(graph('sessions', [session]), options)
  const nowMs = Date.UTC(2026, 0, 1)
  const item = (id: string, seconds: number) => ({
    PK: { S: `S#${id}` },
    SK: { S: 'S' },
    _type: { S: 'session' },
    id: { S: id },
    ttl: { N: `${nowMs / 1000 + seconds}` },
  })

  it('both programs use the configured expiry attribute', async () => {
    const store = memory()
    await deploy(timed, store)
    for (const Item of [item('old', -1), item('new', 60)]) await store.putItem({ TableName: 'sessions', Item })
    const g = await open(timed, store, { clock: () => nowMs })
    expect(await g.session.scan().all()).toEqual([{ id: 'new' }])
    expect(await g.session.exists('old')).toBe(false)
    await g.session.put({ id: 'ours', until: new Date(nowMs + 5000) })
    const { Item } = await store.getItem({ TableName: 'sessions', Key: g.session.keyOf('ours') })
    expect(Item).toMatchObject({ ttl: item('ours', 5).ttl, until: { S: '2026-01-01T00:00:05.000Z' } })
    expect(Item).not.toHaveProperty('_expires')
    expect((await store.describeTimeToLive({ TableName: 'sessions' })).TimeToLiveDescription).toEqual({
      TimeToLiveStatus: 'ENABLED',
      AttributeName: 'ttl',
    })
    expect((await deployment(timed, store)).difference.steps).toEqual([])
  })

  it('an expired item of a type without expires is absent for counts, projections and writes', async () => {
    const plain = node('session', { id: string(), user: string() }, { id: 'id', by: { user: { in: ['user'] } } })
    const store = memory()
    const g = await open(layout(graph('sessions', [plain]), options), store, { clock: () => nowMs })
    for (const [id, seconds] of [['old', -1] as const, ['new', 60] as const]) {
      await g.session.put({ id, user: 'ann' })
      const Item = { ...(await store.getItem({ TableName: 'sessions', Key: g.session.keyOf(id) })).Item }
      await store.putItem({ TableName: 'sessions', Item: { ...Item, ttl: item(id, seconds).ttl } })
    }
    const anns = g.session.by.user({ user: 'ann' })
    expect(await anns.all()).toEqual([{ id: 'new', user: 'ann' }])
    expect(await anns.only('id').all()).toEqual([{ id: 'new' }])
    expect([await anns.count(), await g.session.scan().count()]).toEqual([1, 1])
    await expect(g.session.update('old', { user: 'bob' })).rejects.toMatchObject({ code: 'write.absent' })
    await g.session.create({ id: 'old', user: 'bob' })
    expect(await g.session.get('old')).toEqual({ id: 'old', user: 'bob' })
    // An expiry set by another program stays.
    await g.session.update('new', { user: 'bob' })
    const { Item } = await store.getItem({ TableName: 'sessions', Key: g.session.keyOf('new') })
    expect(Item).toMatchObject({ user: { S: 'bob' }, ttl: item('new', 60).ttl })
  })

  it('an update that reads the item first keeps the expiry of other programs, unless it sets the date', async () => {
    const ranked = node(
      'session',
      { id: string(), a: string(), b: string(), until: date().optional() },
      { id: 'id', expires: 'until', by: { rank: { order: ['a', 'b'] } } },
    )
    const store = memory()
    const g = await open(layout(graph('sessions', [ranked]), options), store, { clock: () => nowMs })
    await g.session.put({ id: '1', a: 'x', b: 'y' })
    const stored = async () => (await store.getItem({ TableName: 'sessions', Key: g.session.keyOf('1') })).Item!
    await store.putItem({ TableName: 'sessions', Item: { ...(await stored()), ttl: item('1', 60).ttl } })
    await g.session.update('1', { a: 'z' })
    expect(await stored()).toMatchObject({ a: { S: 'z' }, ttl: item('1', 60).ttl })
    await g.session.update('1', { a: 'w', until: new Date(nowMs + 5000) })
    expect(await stored()).toMatchObject({ ttl: item('1', 5).ttl })
    await g.session.update('1', { a: 'v', until: remove() })
    expect(await stored()).not.toHaveProperty('ttl')
  })

  it.each(['put', 'create'] as const)(
    'a %s of what has expired stays, where its item has to be changed in place',
    async verb => {
      const unique = node('session', { id: string(), user: string() }, { id: 'id', unique: ['user'] })
      const store = memory()
      const g = await open(layout(graph('sessions', [unique]), options), store, { clock: () => nowMs })
      await g.session.put({ id: 'old', user: 'ann' })
      const { Item } = await store.getItem({ TableName: 'sessions', Key: g.session.keyOf('old') })
      await store.putItem({ TableName: 'sessions', Item: { ...Item, ttl: item('old', -1).ttl } })
      expect(await g.session.get('old')).toBeUndefined()
      await g.session[verb]({ id: 'old', user: 'bob' })
      expect(await g.session.get('old')).toEqual({ id: 'old', user: 'bob' })
    },
  )

  it('other attributes with the name of the expiry attribute are rejected', () => {
    const taken = node('session', { id: string(), ttl: integer() }, { id: 'id' })
    const code = expect.objectContaining({ code: 'layout.name' })
    expect(() => layout(graph('sessions', [taken]), options)).toThrow(code)
  })
})

describe('a table whose keys are plain attributes', () => {
  const plainMovie = node('movie', { name: string() }, { id: 'name' })
  const played = edge('played', { movie: plainMovie, actor }, {}, { by: { actor: { as: 'inverted' } } })
  const plain = layout(graph('cinema', [plainMovie, actor, played]), {
    table: { keys: ['movie', 'actor'] },
    indexes: { byActor: { keys: ['actor', 'movie'] } },
    raw: { fold: 'upper' },
    keys: {
      movie: { movie: '{name}', actor: 'MOVIE' },
      actor: { movie: 'ACTOR', actor: '{name}' },
      played: { movie: '{movie}', actor: '{actor}' },
    },
  })

  it('plain attribute keys are stored once and unchanged', () => {
    expect(itemsOf(plain, { played: [{ movie: 'Toy Story', actor: 'Tom Hanks' }] }).map(({ item }) => item)).toEqual([
      { movie: { S: 'Toy Story' }, actor: { S: 'Tom Hanks' }, _type: { S: 'played' } },
    ])
    expect(readOf(plain, 'played.by.actor', { actor: { S: 'Tom Hanks' } })).toMatchObject({
      index: 'byActor',
      partition: 'Tom Hanks',
    })
  })

  it('the proof reports with an example that plain attribute keys collide', () => {
    expect(proveLayout(plain).map(({ code }) => code)).toContain('key.collision')
  })
})
