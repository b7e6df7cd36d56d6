import type { Item } from '../../../dynamodb/attribute-value.js'
import { cases } from '../case.js'
import { same } from '../expect.js'
import { binary, fixture, listed, number, Partition, query, text } from './reading.js'

const EVERY_TYPE: Item = {
  sk: text('types'),
  S: text('é𝄞'),
  N: number('-1.5'),
  B: binary(0, 255),
  SS: { SS: ['a', 'b'] },
  NS: { NS: ['1', '2'] },
  BS: { BS: [Uint8Array.of(1), Uint8Array.of(2)] },
  M: { M: { inner: { L: [number(1), { NULL: true }] } } },
  L: { L: [text('a'), { BOOL: false }, { M: {} }, { L: [] }] },
  NULL: { NULL: true },
  BOOL: { BOOL: true },
}

const letters = fixture(bench =>
  Partition.of(
    bench,
    'composite',
    ['a', 'b', 'c', 'd'].map(sort => ({ sk: text(sort), of: text(`of ${sort}`) })),
  ),
)

/** Queries of a table: which items, in which order, and how much of them. */
export const queryTableCases = cases('query', {
  'a query answers every item of its partition, whole and in the order of the sort key': async bench => {
    const partition = await Partition.of(bench, 'composite', [
      { sk: text('b'), more: number(2) },
      { sk: text('c') },
      { sk: text('a'), more: { L: [text('x')] } },
    ])
    const [b, c, a] = partition.items
    same(await partition.query('pk = :pk'), { Items: [a, b, c], Count: 3, ScannedCount: 3 })
  },

  'a query of a partition that is not there answers nothing': async bench => {
    const partition = await Partition.of(bench, 'composite', [])
    same(await partition.query('pk = :pk'), { Items: [], Count: 0, ScannedCount: 0 })
  },

  'a partition does not show in the query of another, whose key it begins with or goes on from': async bench => {
    const TableName = await bench.table('composite')
    const root = bench.unique()
    const items = [root, `${root}\u0000`, `${root}a`, `${root}aa`].map(key => ({ pk: text(key), sk: text('s') }))
    await bench.put(TableName, ...items)
    for (const item of items) {
      const answer = await query(bench.store, {
        TableName,
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': item.pk },
        ConsistentRead: true,
      })
      same(answer, { Items: [item], Count: 1, ScannedCount: 1 })
    }
  },

  'a table without a sort key answers its one item': async bench => {
    const TableName = await bench.table('hash')
    const item = { pk: text(bench.unique()), more: text('x') }
    await bench.put(TableName, item)
    const answer = await query(bench.store, {
      TableName,
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': item.pk },
      ConsistentRead: true,
    })
    same(answer, { Items: [item], Count: 1, ScannedCount: 1 })
  },

  'ScanIndexForward turns the order around': async bench => {
    const partition = await letters(bench)
    same(listed(await partition.query('pk = :pk', {}, { ScanIndexForward: true })), ['a', 'b', 'c', 'd'])
    same(listed(await partition.query('pk = :pk', {}, { ScanIndexForward: false })), ['d', 'c', 'b', 'a'])
  },

  'a query answers values of every type as they were put': async bench => {
    const partition = await Partition.of(bench, 'composite', [EVERY_TYPE])
    same((await partition.query('pk = :pk')).Items, partition.items)
  },

  'a strongly consistent query shows every write that came before it': async bench => {
    const partition = await Partition.of(bench, 'composite', [{ sk: text('a') }, { sk: text('b') }])
    const { store, TableName, pk } = partition
    await store.deleteItem({ TableName, Key: { pk, sk: text('a') } })
    await bench.put(TableName, { pk, sk: text('c'), more: number(1) }, { pk, sk: text('b'), more: number(2) })
    same(await partition.query('pk = :pk'), {
      Items: [
        { pk, sk: text('b'), more: number(2) },
        { pk, sk: text('c'), more: number(1) },
      ],
      Count: 2,
      ScannedCount: 2,
    })
  },

  'an eventually consistent query is the usual one, and shows writes in the end': async bench => {
    const partition = await letters(bench)
    const request = partition.request('pk = :pk')
    await bench.eventually(async () => same(listed(await query(bench.store, request)), ['a', 'b', 'c', 'd']))
  },

  'a projection answers only what it names, and nothing of items that do not have it': async bench => {
    const partition = await Partition.of(bench, 'composite', [
      { sk: text('a'), one: number(1), two: number(2) },
      { sk: text('b'), two: number(2) },
    ])
    const one = await partition.query('pk = :pk', {}, { ProjectionExpression: 'one' })
    same(one, { Items: [{ one: number(1) }, {}], Count: 2, ScannedCount: 2 })
    const both = await partition.query('pk = :pk', { '#t': 'two' }, { ProjectionExpression: 'sk, #t' })
    same(both.Items, [
      { sk: text('a'), two: number(2) },
      { sk: text('b'), two: number(2) },
    ])
  },

  'a projection reaches into maps and lists': async bench => {
    const partition = await Partition.of(bench, 'composite', [
      {
        sk: text('a'),
        map: { M: { in: { M: { one: number(1), two: number(2) } }, beside: text('x') } },
        list: { L: [text('zero'), { M: { a: number(1), b: number(2) } }, text('two')] },
      },
    ])
    const projected = async (ProjectionExpression: string, given = {}) =>
      (await partition.query('pk = :pk', given, { ProjectionExpression })).Items
    same(await projected('#m.#i.one', { '#m': 'map', '#i': 'in' }), [{ map: { M: { in: { M: { one: number(1) } } } } }])
    same(await projected('#l[2], #l[0]', { '#l': 'list' }), [{ list: { L: [text('zero'), text('two')] } }])
    same(await projected('#l[1].b, #l[9], nowhere.x', { '#l': 'list' }), [{ list: { L: [{ M: { b: number(2) } }] } }])
  },
})
