import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { memory } from '../../../src/embedded.js'
import { add, counter, decimal, edge, graph, integer, layout, node, number, open, string } from '../../../src/index.js'
import { backfill, dump, repair, verify } from '../../../src/jobs/index.js'
import { proveLayout } from '../../../src/layout/proof/layout-proof.js'
import { looseOrders } from '../../../src/layout/proof/loose-orders.js'
import { anyNumberText } from '../../arbitraries.js'
import { codeOf } from '../../schema/error-code.js'

const movie = node(
  'movie',
  { year: integer({ min: 0, max: 9999 }), title: string(), rank: number() },
  { id: ['year', 'title'], by: { year: { in: ['year'], order: ['rank'] }, all: { order: ['rank'], shards: 3 } } },
)

/** The table of the AWS tutorial, keyed by year and title, with an index of two numbers and a sharded index. */
const movies = layout(graph('movies', [movie]), {
  raw: true,
  table: { keys: ['year', 'title'] },
  indexes: { ranks: { keys: ['year', 'rank'] }, all: { keys: ['GSI2PK', 'rank'] } },
  keys: { movie: { year: '{year}', title: '{title}', rank: '{rank}', GSI2PK: 'all#{shard}' } },
})

const written = [
  { year: 1999, title: 'Toy Story 2', rank: 7.9 },
  { year: 1995, title: 'Toy Story', rank: 8.3 },
  { year: 1995, title: 'Heat', rank: 10 },
  { year: 800, title: 'Old', rank: -1 },
]

async function filled() {
  const store = memory()
  const g = await open(movies, store)
  await g.$batch(written.map(row => g.movie.put(row)))
  return { g, store }
}

describe('keys that are numbers', () => {
  it('number keys are stored as numbers in the table and its indexes, for any declared range', async () => {
    const { store } = await filled()
    expect(movies.design.attributes).toEqual({ year: 'N', title: 'S', rank: 'N', GSI2PK: 'S' })
    const { Item } = await store.getItem({ TableName: 'movies', Key: { year: { N: '800' }, title: { S: 'Old' } } })
    expect(Item).toMatchObject({ year: { N: '800' }, title: { S: 'Old' }, rank: { N: '-1' } })
    expect(proveLayout(movies)).toEqual([])
    const [order] = looseOrders(movies).map(({ message }) => message)
    expect(order).toBe(
      "all: entries of movie can have equal keys in this index; use a text key to order them, because the number alone leaves them in the order of the table's own key.",
    )
  })

  it('number keys find, change and delete items of other programs', async () => {
    const { g, store } = await filled()
    const Item = { year: { N: '2001' }, title: { S: 'Ours' }, rank: { N: '5' }, GSI2PK: { S: 'all#0' } }
    await store.putItem({ TableName: 'movies', Item })
    const id = { year: 2001, title: 'Ours' }
    expect(await g.movie.get(id)).toEqual({ ...id, rank: 5 })
    await g.movie.update(id, { rank: 6 })
    expect(await g.movie.by.year({ year: 2001 }).all()).toEqual([{ ...id, rank: 6 }])
    await g.movie.delete(id)
    expect(await g.movie.many([id, { year: 1995, title: 'Heat' }])).toEqual([undefined, written[2]])
  })

  it('number keys are read in numeric order by value, range, page and shard, forwards and backwards', async () => {
    const { g } = await filled()
    const inOrder = written.toSorted((a, b) => a.rank - b.rank)
    expect(await g.movie.by.all().all()).toEqual(inOrder)
    expect(await g.movie.by.all().reverse().all()).toEqual(inOrder.toReversed())
    const of1995 = g.movie.by.year({ year: 1995 })
    expect(await of1995.all()).toEqual([written[1], written[2]])
    expect(await of1995.where({ rank: 10 }).all()).toEqual([written[2]])
    expect(await of1995.where({ rank: { from: 9 } }).all()).toEqual([written[2]])
    expect(await of1995.where({ rank: { from: 10, to: 9 } }).all()).toEqual([])
    const all = g.movie.by.all().where({ rank: { from: -5, to: 8.3 } })
    const first = await all.page({ limit: 2 })
    const second = await all.page({ limit: 2, cursor: first.cursor! })
    expect([...first.items, ...second.items]).toEqual(inOrder.slice(0, 3))
    await expect(
      g.movie.by
        .all()
        .where({ rank: { startsWith: '1' } as never })
        .all(),
    ).rejects.toMatchObject({ code: 'key.range' })
  })

  it('number keys follow add() and remove()', async () => {
    const { g } = await filled()
    const id = { year: 1995, title: 'Heat' }
    await g.movie.update(id, { rank: add(-9.5) })
    expect(await g.movie.by.year({ year: 1995 }).all()).toEqual([{ ...id, rank: 0.5 }, written[1]])
    expect(
      await g.movie.by
        .all()
        .where({ rank: { from: 0, to: 1 } })
        .all(),
    ).toEqual([{ ...id, rank: 0.5 }])
    await g.$transact([g.movie.update(id, { rank: add(2) })], { token: 'more' })
    expect(await g.movie.by.year({ year: 1995 }).where({ rank: 2.5 }).count()).toBe(1)
    expect(await verify(g)).toMatchObject({ faults: {} })
  })

  it('number keys accept every DynamoDB number in its order', async () => {
    const point = node('point', { at: decimal(), name: string() }, { id: 'at', by: { at: { order: ['at'] } } })
    const points = layout(graph('points', [point]), {
      raw: true,
      table: { keys: ['at'] },
      keys: { point: { at: '{at}', all: 'all' } },
      indexes: { all: { keys: ['all', 'at'] } },
    })
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(anyNumberText, { maxLength: 8 }), anyNumberText, async (texts, bound) => {
        const g = await open(points, memory())
        const isFit = (text: string) => codeOf(() => g.point.put({ at: text, name: 'x' }).explain()) === undefined
        for (const text of texts.filter(isFit)) await g.point.put({ at: text, name: 'x' })
        const rows = await g.point.by.at().all()
        const stored = await g.point.scan().all()
        expect(rows).toEqual(stored.toSorted((a, b) => compare(a.at, b.at)))
        for (const { at } of rows) expect(await g.point.get(at)).toMatchObject({ at })
        if (!isFit(bound)) return
        const some = await g.point.by
          .at()
          .where({ at: { from: bound } })
          .all()
        expect(some).toEqual(rows.filter(({ at }) => compare(at, bound) >= 0))
      }),
    )
  })

  it('number keys leave room for the fingerprint and for receipts, which jobs recognize', async () => {
    const { g, store } = await filled()
    const create = () => g.$transact([g.movie.create({ year: 1, title: 'x', rank: 2 })], { token: 'once' })
    await create()
    await create()
    expect(await g.movie.by.year({ year: 1 }).count()).toBe(1)
    expect(await verify(g)).toMatchObject({ faults: {} })
    expect(await repair(g)).toMatchObject({ faults: {} })
    expect(await backfill(movies, store)).toMatchObject({ changed: 0 })
    await expect(open(layout(graph('movies', [movie]), moved), store)).rejects.toMatchObject({ code: 'layout.drift' })
  })

  it('a dump contains items with number keys and no internal items', async () => {
    const { g } = await filled()
    const rows: unknown[] = []
    const counts = await dump(g, page => void rows.push(...page.rows.map(({ row }) => row)))
    expect(rows).toHaveLength(written.length)
    expect(rows).toEqual(expect.arrayContaining(written))
    expect(counts).toMatchObject({ rows: written.length })
  })
})

/** The same graph with another attribute as the index key. */
const moved = {
  raw: true,
  table: { keys: ['year', 'title'] },
  indexes: { ranks: { keys: ['year', 'rank'] }, all: { keys: ['GSI2PK', 'rank'] } },
  keys: { movie: { year: '{year}', title: '{title}', rank: '{rank}', GSI2PK: 'every#{shard}' } },
} as const

/** Compares by value. Each number is scaled by 10^300 to a bigint, because a double would lose digits. */
const compare = (a: string, b: string) => {
  const difference = scaled(a) - scaled(b)
  return difference < 0n ? -1 : difference > 0n ? 1 : 0
}

function scaled(text: string): bigint {
  const [, sign = '', whole = '', fraction = '', power = '0'] = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(text)!
  return BigInt(`${sign}${whole}${fraction}`) * 10n ** BigInt(300 - fraction.length + Number(power))
}

describe('number keys are rejected', () => {
  it('when some items have a text as the key', () => {
    const item = node('item', { no: integer(), name: string() }, { id: 'no' })
    const box = node('box', { name: string() }, { id: 'name' })
    const keys = { item: { no: '{no}' }, box: { no: 'BOX#{name}' } }
    expect(() => layout(graph('items', [item, box]), { raw: true, table: { keys: ['no'] }, keys })).toThrow(
      "table: 'no' is stored as N and S, but a key needs S or N in every type; rename one of them by stored().",
    )
  })

  it('when the stream maintains data of the type', () => {
    const user = node('user', { no: integer(), fans: counter() }, { id: 'no' })
    const fan = node('fan', { no: integer() }, { id: 'no' })
    const count = { user: { into: 'fans', by: 'stream' } } as const
    const follows = edge('follows', { user, fan }, {}, { count, by: { fan: { as: 'none' } } })
    const made = () =>
      layout(graph('users', [user, fan, follows]), {
        raw: true,
        table: { keys: ['key', 'fan'] },
        names: { user: { no: 'fan' }, fan: { no: 'fan' } },
        keys: {
          user: { key: 'USER#{no}', fan: '{no}' },
          fan: { key: 'FAN#{no}', fan: '{no}' },
          follows: { key: 'FANS#{user}', fan: '{fan}' },
        },
      })
    expect(made).toThrow('follows: the stream needs by.user on the table itself, with string keys')
  })
})
