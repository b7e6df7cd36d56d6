import type { Item } from '../../../dynamodb/attribute-value.js'
import { expectEqual } from '../../assertions.js'
import { defineCases } from '../../contract-case.js'
import {
  attributeOfItems,
  binaryValue,
  numericValue,
  runQuery,
  sharedFixture,
  stringValue,
  TestPartition,
} from '../../fixtures/test-partition.js'

const EVERY_TYPE: Item = {
  sk: stringValue('types'),
  S: stringValue('é𝄞'),
  N: numericValue('-1.5'),
  B: binaryValue(0, 255),
  SS: { SS: ['a', 'b'] },
  NS: { NS: ['1', '2'] },
  BS: { BS: [Uint8Array.of(1), Uint8Array.of(2)] },
  M: { M: { inner: { L: [numericValue(1), { NULL: true }] } } },
  L: { L: [stringValue('a'), { BOOL: false }, { M: {} }, { L: [] }] },
  NULL: { NULL: true },
  BOOL: { BOOL: true },
}

const letterRows = sharedFixture(bench =>
  TestPartition.of(
    bench,
    'composite',
    ['a', 'b', 'c', 'd'].map(sort => ({ sk: stringValue(sort), of: stringValue(`of ${sort}`) })),
  ),
)

/** Cases of table queries: their items, their order and their attributes. */
export const queryTableCases = defineCases('query', {
  'a query returns every item of its partition, whole and in the order of the sort key': async bench => {
    const partition = await TestPartition.of(bench, 'composite', [
      { sk: stringValue('b'), more: numericValue(2) },
      { sk: stringValue('c') },
      { sk: stringValue('a'), more: { L: [stringValue('x')] } },
    ])
    const [b, c, a] = partition.items
    expectEqual(await partition.query('pk = :pk'), { Items: [a, b, c], Count: 3, ScannedCount: 3 })
  },

  'a query of a missing partition returns nothing': async bench => {
    const partition = await TestPartition.of(bench, 'composite', [])
    expectEqual(await partition.query('pk = :pk'), { Items: [], Count: 0, ScannedCount: 0 })
  },

  'partitions whose keys share a prefix do not mix': async bench => {
    const TableName = await bench.sharedTable('composite')
    const root = bench.unique()
    const items = [root, `${root}\u0000`, `${root}a`, `${root}aa`].map(key => ({
      pk: stringValue(key),
      sk: stringValue('s'),
    }))
    await bench.put(TableName, ...items)
    for (const item of items) {
      const answer = await runQuery(bench.store, {
        TableName,
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': item.pk },
        ConsistentRead: true,
      })
      expectEqual(answer, { Items: [item], Count: 1, ScannedCount: 1 })
    }
  },

  'a query of a table without a sort key returns the only item': async bench => {
    const TableName = await bench.sharedTable('hash')
    const item = { pk: stringValue(bench.unique()), more: stringValue('x') }
    await bench.put(TableName, item)
    const answer = await runQuery(bench.store, {
      TableName,
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': item.pk },
      ConsistentRead: true,
    })
    expectEqual(answer, { Items: [item], Count: 1, ScannedCount: 1 })
  },

  'ScanIndexForward false reverses the order': async bench => {
    const partition = await letterRows(bench)
    expectEqual(attributeOfItems(await partition.query('pk = :pk', {}, { ScanIndexForward: true })), [
      'a',
      'b',
      'c',
      'd',
    ])
    expectEqual(attributeOfItems(await partition.query('pk = :pk', {}, { ScanIndexForward: false })), [
      'd',
      'c',
      'b',
      'a',
    ])
  },

  'a query returns values of every type unchanged': async bench => {
    const partition = await TestPartition.of(bench, 'composite', [EVERY_TYPE])
    expectEqual((await partition.query('pk = :pk')).Items, partition.items)
  },

  'a strongly consistent query shows every earlier write': async bench => {
    const partition = await TestPartition.of(bench, 'composite', [{ sk: stringValue('a') }, { sk: stringValue('b') }])
    const { store, TableName, pk } = partition
    await store.deleteItem({ TableName, Key: { pk, sk: stringValue('a') } })
    await bench.put(
      TableName,
      { pk, sk: stringValue('c'), more: numericValue(1) },
      { pk, sk: stringValue('b'), more: numericValue(2) },
    )
    expectEqual(await partition.query('pk = :pk'), {
      Items: [
        { pk, sk: stringValue('b'), more: numericValue(2) },
        { pk, sk: stringValue('c'), more: numericValue(1) },
      ],
      Count: 2,
      ScannedCount: 2,
    })
  },

  'a query is eventually consistent by default and shows writes eventually': async bench => {
    const partition = await letterRows(bench)
    const request = partition.request('pk = :pk')
    await bench.eventually(async () =>
      expectEqual(attributeOfItems(await runQuery(bench.store, request)), ['a', 'b', 'c', 'd']),
    )
  },

  'a projection returns only the named attributes, and nothing for items without them': async bench => {
    const partition = await TestPartition.of(bench, 'composite', [
      { sk: stringValue('a'), one: numericValue(1), two: numericValue(2) },
      { sk: stringValue('b'), two: numericValue(2) },
    ])
    const one = await partition.query('pk = :pk', {}, { ProjectionExpression: 'one' })
    expectEqual(one, { Items: [{ one: numericValue(1) }, {}], Count: 2, ScannedCount: 2 })
    const both = await partition.query('pk = :pk', { '#t': 'two' }, { ProjectionExpression: 'sk, #t' })
    expectEqual(both.Items, [
      { sk: stringValue('a'), two: numericValue(2) },
      { sk: stringValue('b'), two: numericValue(2) },
    ])
  },

  'a projection reaches into maps and lists': async bench => {
    const partition = await TestPartition.of(bench, 'composite', [
      {
        sk: stringValue('a'),
        map: { M: { in: { M: { one: numericValue(1), two: numericValue(2) } }, other: stringValue('x') } },
        list: { L: [stringValue('zero'), { M: { a: numericValue(1), b: numericValue(2) } }, stringValue('two')] },
      },
    ])
    const projected = async (ProjectionExpression: string, given = {}) =>
      (await partition.query('pk = :pk', given, { ProjectionExpression })).Items
    expectEqual(await projected('#m.#i.one', { '#m': 'map', '#i': 'in' }), [
      { map: { M: { in: { M: { one: numericValue(1) } } } } },
    ])
    expectEqual(await projected('#l[2], #l[0]', { '#l': 'list' }), [
      { list: { L: [stringValue('zero'), stringValue('two')] } },
    ])
    expectEqual(await projected('#l[1].b, #l[9], nowhere.x', { '#l': 'list' }), [
      { list: { L: [{ M: { b: numericValue(2) } }] } },
    ])
  },
})
