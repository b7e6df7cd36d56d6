import { describe, expect, it } from 'vitest'
import { openBatch } from '../../src/batch/index.js'
import { memory } from '../../src/engine/memory.js'
import {
  bigint,
  binary,
  boolean,
  counter,
  date,
  day,
  decimal,
  edge,
  graph,
  integer,
  json,
  layout,
  list,
  map,
  mapped,
  node,
  number,
  oneOf,
  open,
  set,
  string,
} from '../../src/index.js'
import { graphRow } from './view-rows.js'

const values = {
  id: string(),
  Id: string().optional(),
  ID: string().optional(),
  order: number().optional(),
  price: decimal().optional(),
  huge: bigint().optional(),
  size: integer().optional(),
  done: boolean().optional(),
  at: date().optional(),
  on: day().optional(),
  state: oneOf('open', 'closed').optional(),
  bytes: binary().optional(),
  tags: set(string()).optional(),
  scores: set(number()).optional(),
  lines: list(map({ text: string(), amount: number(), Text: string().optional() })).optional(),
  any: json().optional(),
  upper: mapped(string(), {
    write: (text: string) => text.toUpperCase(),
    read: stored => stored.toLowerCase(),
  }).optional(),
}
const thing = node('select', values, { id: 'id' })

async function viewOf(rows: readonly object[]) {
  const store = memory()
  const g = await open(graph('kinds', [thing]), store)
  for (const row of rows) await g.select.put(row as never)
  const data = await openBatch(g.$layout, { from: { store }, threads: 1 })
  return { g, data, view: data.views[0]! }
}

describe('a view of a type', () => {
  it('has a typed column for every kind of attribute', async () => {
    const full = {
      id: "a'#$\u0000\u{1f600}",
      Id: 'second',
      ID: 'third',
      order: 1e-130,
      price: '12345678901234567890123456789012345.678',
      huge: 10n ** 100n,
      size: Number.MAX_SAFE_INTEGER,
      done: true,
      at: new Date('0000-01-01T00:00:00.001Z'),
      on: '2026-02-28',
      state: 'open',
      bytes: Uint8Array.of(0, 255, 7),
      tags: new Set(['2026-01-01', 'b']),
      scores: new Set([1.5, 2e30]),
      lines: [
        { text: '1', amount: 1e-130 },
        { text: 'x', amount: 2, Text: 'y' },
      ],
      any: { a: [1, null, { B: 'x' }], S: 'text' },
      upper: 'loud',
    }
    const { g, data, view } = await viewOf([full, { id: 'plain' }])
    const rows = await data.rows('SELECT * FROM "select" ORDER BY id')
    expect(rows.map(row => ({ ...graphRow(view, row), upper: row.upper ?? undefined }))).toEqual(
      (await g.select.scan().all())
        .map(row => ({ ...row, upper: row.upper?.toUpperCase() }))
        .sort((one, other) => (one.id < other.id ? -1 : 1)),
    )
    expect(rows[0]).toMatchObject({ Id_2: 'second', ID_3: 'third', order: expect.stringMatching(/^0\.0+1$/) })
    data.close()
  })

  it('has NULL for an integer that is not one, where edgewise refuses to read the row', async () => {
    const { g, data } = await viewOf([{ id: 'a', size: 1 }])
    data.close()
    const store = memory()
    const own = await open(graph('kinds', [thing]), store)
    await own.select.put({ id: 'a', size: 1 })
    await store.updateItem({
      TableName: 'kinds',
      Key: { PK: { S: 'select#a' }, SK: { S: '#' } },
      UpdateExpression: 'SET #s = :s',
      ExpressionAttributeNames: { '#s': 'size' },
      ExpressionAttributeValues: { ':s': { N: '1.5' } },
    })
    const again = await openBatch(g.$layout, { from: { store } })
    expect(await again.rows('SELECT size FROM "select"')).toEqual([{ size: null }])
    again.close()
  })

  it('a view omits nodes that had expired at the moment of the data', async () => {
    const token = node('token', { id: string(), until: date() }, { id: 'id', expires: 'until' })
    const store = memory()
    const g = await open(graph('tokens', [token]), store, { clock: () => 0 })
    await g.token.put({ id: 'early', until: new Date(10_000) })
    await g.token.put({ id: 'late', until: new Date(30_000) })
    const data = await openBatch(g.$layout, { from: { store }, clock: () => 20_000 })
    expect(await data.rows('SELECT id FROM token')).toEqual([{ id: 'late' }])
    expect(data.items).toBe(3)
    data.close()
  })
})

describe('keys of views', () => {
  const movie = node('movie', { name: string(), year: integer(), cast: counter() }, { id: ['name', 'year'] })
  const actor = node('actor', { no: integer({ min: -50, max: 9999 }), rating: number() }, { id: 'no' })
  const role = edge(
    'role',
    { movie, actor },
    { part: string(), pay: decimal() },
    { key: ['part', 'pay'], count: { movie: 'cast' }, by: { actor: { as: 'mirror', shards: 3 } } },
  )
  const cinema = graph('cinema', [movie, actor, role], { tenant: true })

  it('keys in views are decoded with their escapes, numbers, shards and tenants', async () => {
    const store = memory()
    const all = await open(cinema, store)
    const names = ['Big', 'a#b', '$', '', '#', 'a$#', '\u0000x'].filter(Boolean)
    const years = [0, 1988, -1988, 7, -5]
    const pays = ['0', '0.05', '-0.05', '12345678901234567890123456789', '-1.5', '-12', '100']
    for (const tenant of ['acme', 'a#c$me'])
      for (const [at, name] of names.entries()) {
        const g = all.$tenant(tenant)
        const year = years[at % years.length]!
        const no = [0, -50, 9999, -7, 12][at % 5]!
        await g.movie.put({ name, year })
        await g.actor.put({ no, rating: at })
        for (const pay of pays) await g.role.put({ movie: { name, year }, actor: no, part: `${name}#`, pay })
      }
    await using data = await openBatch(cinema, { from: { store }, threads: 1 })
    for (const view of data.views)
      for (const tenant of ['acme', 'a#c$me']) {
        const rows = await data.rows(`SELECT * FROM "${view.name}" WHERE tenant = '${tenant}'`)
        const g = all.$tenant(tenant)
        const expected = await (g as never as Record<string, { scan(): { all(): Promise<object[]> } }>)
          [view.name]!.scan()
          .all()
        expect(
          rows
            .map(row => graphRow(view, row))
            .map(sortable)
            .sort(),
        ).toEqual(expected.map(sortable).sort())
      }
    expect(await data.rows("SELECT DISTINCT movie_name FROM role WHERE tenant = 'acme' ORDER BY 1")).toHaveLength(6)
  })

  it('views read the keys of a raw layout from attributes', async () => {
    const user = node('user', { id: string(), name: string() }, { id: 'id' })
    const follow = edge('follow', { follower: user, followed: user }, { weight: integer() })
    const raw = layout(graph('raw', [user, follow]), { raw: true })
    const store = memory()
    const g = await open(raw, store)
    await g.user.put({ id: 'ann', name: 'Ann' })
    await g.follow.put({ follower: 'ann', followed: 'bob', weight: 3 })
    await using data = await openBatch(raw, { from: { store } })
    expect(await data.rows('SELECT * FROM "user"')).toEqual([{ id: 'ann', name: 'Ann' }])
    expect(await data.rows('SELECT * FROM follow')).toEqual([{ follower: 'ann', followed: 'bob', weight: 3 }])
  })

  it('keys of indexes are in views of their entries', async () => {
    const user = node('user', { id: string(), city: string().optional() }, { id: 'id', by: { city: { in: ['city'] } } })
    const store = memory()
    const g = await open(graph('cities', [user]), store)
    await g.user.put({ id: 'ann', city: 'Rome' })
    await g.user.put({ id: 'bob' })
    await using data = await openBatch(g.$layout, { from: { store } })
    const entries = await data.rows('SELECT "GSI1PK", "GSI1SK", pk, sk FROM physical."GSI1"')
    expect(entries).toEqual([{ GSI1PK: 'user.city#Rome', GSI1SK: 'ann', pk: 'user#ann', sk: '#' }])
  })
})

const sortable = (row: object) => JSON.stringify(Object.entries(row).sort())
