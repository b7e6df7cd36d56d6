import type { AttributeValue, Item, Key } from '../../../dynamodb/attribute-value.js'
import type { QueryInput } from '../../../dynamodb/operation-types.js'
import { expectEqual } from '../../assertions.js'
import type { SharedTable } from '../../bench-tables.js'
import { defineCases } from '../../contract-case.js'
import { pickAttributes, sharedIndexedItems } from '../../fixtures/indexed-items.js'
import { toPlaceholders } from '../../fixtures/item-trial.js'
import {
  attributeOfItems,
  binaryValue,
  expectEventually,
  numericValue,
  readAllItems,
  readPages,
  runQuery,
  sharedFixture,
  stringValue,
  TestPartition,
} from '../../fixtures/test-partition.js'

const letterRows = sharedFixture(bench =>
  TestPartition.of(
    bench,
    'composite',
    ['a', 'b', 'c', 'd', 'e'].map(sort => ({ sk: stringValue(sort), more: stringValue(sort) })),
  ),
)

/** Several items with one sort key in every index, so that only the key of the table distinguishes them. */
const equalRows = sharedFixture(async bench => {
  const group = stringValue(bench.unique('group'))
  const rows = Array.from({ length: 7 }, (_, i) => ({
    sk: stringValue(`${i}`),
    group,
    rank: numericValue(i < 5 ? 1 : 2),
    local: stringValue(i < 5 ? 'same' : 'zzz'),
  }))
  return { group, partition: await TestPartition.of(bench, 'composite', rows) }
})

/** Four sort keys of each type; the second and the fourth begin with their predecessor. */
const SORTS: [SharedTable, AttributeValue[]][] = [
  ['composite', ['b', 'ba', 'c', 'ca'].map(stringValue)],
  ['compositeN', [1, 1.5, 2, 2.5].map(numericValue)],
  ['compositeB', [binaryValue(1), binaryValue(1, 0), binaryValue(2), binaryValue(2, 0)]],
]

/** Conditions on these keys, with the keys that they name and the keys that match. */
const RANGES: [condition: string, given: number[], found: [from: number, to: number]][] = [
  ['sk < :2', [2], [0, 2]],
  ['sk <= :2', [2], [0, 3]],
  ['sk > :0', [0], [1, 4]],
  ['sk >= :0', [0], [0, 4]],
  ['sk BETWEEN :0 AND :2', [0, 2], [0, 3]],
  ['begins_with(sk, :0)', [0], [0, 2]],
]

function sortKeysOf(items: Item[]): string[] {
  return items.map(item => item.sk!.S!).sort()
}

/** Cases of pages by a limit, and of start keys. */
export const pagingCases = defineCases('query', {
  'a limit ends a page at the item that reaches it, whose key is the last evaluated key': async bench => {
    const partition = await letterRows(bench)
    const { pk, items } = partition
    const page = (Limit: number, more = {}) => partition.query('pk = :pk', {}, { Limit, ...more })
    const last = (sk: string): { LastEvaluatedKey: Key } => ({ LastEvaluatedKey: { pk, sk: stringValue(sk) } })
    expectEqual(await page(2), { Items: items.slice(0, 2), Count: 2, ScannedCount: 2, ...last('b') })
    const reverse = { ScanIndexForward: false }
    expectEqual(await page(2, reverse), { Items: [items[4], items[3]], Count: 2, ScannedCount: 2, ...last('d') })
  },

  'a limit above the number of items returns no last key': async bench => {
    const partition = await letterRows(bench)
    const { items } = partition
    expectEqual(await partition.query('pk = :pk', {}, { Limit: 6 }), { Items: items, Count: 5, ScannedCount: 5 })
  },

  'a limit that ends at the last item returns its key, followed by an empty page': async bench => {
    const partition = await letterRows(bench)
    const { pk, items } = partition
    const LastEvaluatedKey = { pk, sk: stringValue('e') }
    const all = await readPages(start => partition.query('pk = :pk', {}, { Limit: 5, ...start }))
    expectEqual(all, [
      { Items: items, Count: 5, ScannedCount: 5, LastEvaluatedKey },
      { Items: [], Count: 0, ScannedCount: 0 },
    ])
  },

  'a page begins after its start key': async bench => {
    const partition = await letterRows(bench)
    const { pk } = partition
    const from = async (sk: string, more = {}) =>
      attributeOfItems(
        await partition.query('pk = :pk', {}, { ExclusiveStartKey: { pk, sk: stringValue(sk) }, ...more }),
      )
    expectEqual(await from('b'), ['c', 'd', 'e'])
    expectEqual(await from('b', { ScanIndexForward: false }), ['a'])
    expectEqual(await from('e'), [])
  },

  'a start key can be that of a missing item': async bench => {
    const partition = await letterRows(bench)
    const { pk } = partition
    const from = async (sk: string, more = {}) =>
      attributeOfItems(
        await partition.query('pk = :pk', {}, { ExclusiveStartKey: { pk, sk: stringValue(sk) }, ...more }),
      )
    expectEqual(await from('bb'), ['c', 'd', 'e'])
    expectEqual(await from('bb', { ScanIndexForward: false }), ['b', 'a'])
    expectEqual(await from('0'), ['a', 'b', 'c', 'd', 'e'])
    expectEqual(await from('z'), [])
  },

  'a start key can be combined with a condition on the sort key': async bench => {
    const partition = await letterRows(bench)
    const { pk } = partition
    const start = { ExclusiveStartKey: { pk, sk: stringValue('c') } }
    expectEqual(
      await partition.findSortKeys('sk BETWEEN :a AND :d', { ':a': stringValue('a'), ':d': stringValue('d') }, start),
      ['d'],
    )
    expectEqual(
      await partition.findSortKeys('sk >= :b', { ':b': stringValue('b') }, { ...start, ScanIndexForward: false }),
      ['b'],
    )
    expectEqual(await partition.findSortKeys('sk = :c', { ':c': stringValue('c') }, start), [])
  },

  'paging by any limit visits every item once, in either direction': async bench => {
    const partition = await letterRows(bench)
    const items = [...partition.items]
    for (const Limit of [1, 2, 3, 4, 5, 6]) {
      expectEqual(await readAllItems(start => partition.query('pk = :pk', {}, { Limit, ...start })), items)
      const backwards = { Limit, ScanIndexForward: false }
      const reverse = await readAllItems(start => partition.query('pk = :pk', {}, { ...backwards, ...start }))
      expectEqual(reverse, [...items].reverse())
    }
  },

  'paging with any condition on the sort key continues from every item, including the bounds': async bench => {
    for (const [table, values] of SORTS) {
      const rows = values.map(sk => ({ sk }))
      const partition = await TestPartition.of(bench, table, rows)
      for (const [condition, given, [from, to]] of RANGES) {
        if (table === 'compositeN' && condition.startsWith('begins_with')) continue
        const items = partition.items.slice(from, to)
        const meant = Object.fromEntries(given.map(at => [`:${at}`, values[at]!]))
        const read = (more: Partial<QueryInput>) =>
          readAllItems(start => partition.query(`pk = :pk AND ${condition}`, meant, { Limit: 1, ...more, ...start }))
        expectEqual(await read({}), items)
        expectEqual(await read({ ScanIndexForward: false }), items.reverse())
      }
    }
  },

  'writes between two pages do not move the start of the next page': async bench => {
    const rows = ['a', 'b', 'c', 'd'].map(sort => ({ sk: stringValue(sort) }))
    const partition = await TestPartition.of(bench, 'composite', rows)
    const { store, TableName, pk } = partition
    const { LastEvaluatedKey } = await partition.query('pk = :pk', {}, { Limit: 2 })
    await store.deleteItem({ TableName, Key: { pk, sk: stringValue('b') } })
    await bench.put(TableName, { pk, sk: stringValue('aa') }, { pk, sk: stringValue('bb') })
    expectEqual(attributeOfItems(await partition.query('pk = :pk', {}, { ExclusiveStartKey: LastEvaluatedKey })), [
      'bb',
      'c',
      'd',
    ])
  },

  'the last evaluated key of a global index has the keys of the index and of the table': async bench => {
    const found = await sharedIndexedItems(bench)
    const { b, c } = found.items
    const keys = ['pk', 'sk', 'group', 'rank']
    const page = () => found.queryGroup('byGroup', '#g = :g', {}, { Limit: 2 })
    await expectEventually(bench, async () => (await page()).LastEvaluatedKey, pickAttributes(c, ...keys))
    const start = { ExclusiveStartKey: pickAttributes(b, ...keys) }
    await expectEventually(
      bench,
      async () => attributeOfItems(await found.queryGroup('byGroup', '#g = :g', {}, start)),
      ['c', 'a'],
    )
    const reverse = { ...start, ScanIndexForward: false }
    await expectEventually(
      bench,
      async () => attributeOfItems(await found.queryGroup('byGroup', '#g = :g', {}, reverse)),
      [],
    )
  },

  'the last evaluated key of a local index has its key and the sort key of the table': async bench => {
    const { partition, items } = await sharedIndexedItems(bench)
    const { LastEvaluatedKey } = await partition.query('pk = :pk', {}, { IndexName: 'byLocal', Limit: 2 })
    expectEqual(LastEvaluatedKey, pickAttributes(items.b, 'pk', 'sk', 'local'))
  },

  'a start key of an index can be that of a missing entry': async bench => {
    const found = await sharedIndexedItems(bench)
    const { partition, group } = found
    const start = (rank: number, sk: string) => ({
      ExclusiveStartKey: { pk: stringValue('nobody'), sk: stringValue(sk), group, rank: numericValue(rank) },
    })
    const from = (rank: number, more = {}) =>
      found.queryGroup('byGroup', '#g = :g', {}, { ...start(rank, 'x'), ...more })
    await expectEventually(bench, async () => attributeOfItems(await from(1.5)), ['c', 'a'])
    await expectEventually(bench, async () => attributeOfItems(await from(2.5, { ScanIndexForward: false })), [
      'c',
      'b',
    ])
    const { pk } = partition
    const local = { ExclusiveStartKey: { pk, sk: stringValue('none'), local: stringValue('xx') }, IndexName: 'byLocal' }
    expectEqual(attributeOfItems(await partition.query('pk = :pk', {}, local)), ['b', 'a'])
  },

  'paging over equal sort keys of a global index visits every item once': async bench => {
    const { group, partition } = await equalRows(bench)
    const request = (IndexName: string, more: Partial<QueryInput>): QueryInput => ({
      TableName: partition.TableName,
      IndexName,
      KeyConditionExpression: '#g = :g',
      ...toPlaceholders({ '#g': 'group', ':g': group }),
      ...more,
    })
    for (const IndexName of ['byGroup', 'groupOnly'])
      for (const Limit of [1, 2, 3, 7])
        for (const ScanIndexForward of [true, false]) {
          const more = { Limit, ScanIndexForward }
          const read = () => readAllItems(start => runQuery(bench.store, request(IndexName, { ...more, ...start })))
          await expectEventually(bench, async () => sortKeysOf(await read()), ['0', '1', '2', '3', '4', '5', '6'])
        }
  },

  'paging over equal sort keys of a local index visits every item once': async bench => {
    const { partition } = await equalRows(bench)
    for (const IndexName of ['byLocal', 'byRank'])
      for (const Limit of [1, 2, 3, 7])
        for (const ScanIndexForward of [true, false]) {
          const more = { IndexName, Limit, ScanIndexForward }
          const items = await readAllItems(start => partition.query('pk = :pk', {}, { ...more, ...start }))
          expectEqual(sortKeysOf(items), ['0', '1', '2', '3', '4', '5', '6'])
        }
  },
})
