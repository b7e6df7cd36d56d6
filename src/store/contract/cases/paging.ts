import type { AttributeValue, Item, Key } from '../../../dynamodb/attribute-value.js'
import type { QueryRequest } from '../../../dynamodb/operations/reads.js'
import { cases } from '../case.js'
import { same } from '../expect.js'
import type { SharedTable } from '../tables.js'
import { indexed, only } from './indexed.js'
import { allItems, binary, fixture, listed, number, Partition, pages, query, settles, text } from './reading.js'
import { placeholders } from './trial.js'

const letters = fixture(bench =>
  Partition.of(
    bench,
    'composite',
    ['a', 'b', 'c', 'd', 'e'].map(sort => ({ sk: text(sort), more: text(sort) })),
  ),
)

/** Several items with one sort key in every index, so that only the table's own key tells them apart. */
const equals = fixture(async bench => {
  const group = text(bench.unique('group'))
  const rows = Array.from({ length: 7 }, (_, i) => ({
    sk: text(`${i}`),
    group,
    rank: number(i < 5 ? 1 : 2),
    local: text(i < 5 ? 'same' : 'zzz'),
  }))
  return { group, partition: await Partition.of(bench, 'composite', rows) }
})

/** Four sort keys of each type, the second and the fourth of which begin with the one before. */
const SORTS: [SharedTable, AttributeValue[]][] = [
  ['composite', ['b', 'ba', 'c', 'ca'].map(text)],
  ['compositeN', [1, 1.5, 2, 2.5].map(number)],
  ['compositeB', [binary(1), binary(1, 0), binary(2), binary(2, 0)]],
]

/** Conditions on them, which of them each names, and which it finds. */
const WITHIN: [condition: string, given: number[], found: [from: number, to: number]][] = [
  ['sk < :2', [2], [0, 2]],
  ['sk <= :2', [2], [0, 3]],
  ['sk > :0', [0], [1, 4]],
  ['sk >= :0', [0], [0, 4]],
  ['sk BETWEEN :0 AND :2', [0, 2], [0, 3]],
  ['begins_with(sk, :0)', [0], [0, 2]],
]

function bySort(items: Item[]): string[] {
  return items.map(item => item.sk!.S!).sort()
}

/** Pages by a limit, and where the next one begins. */
export const pagingCases = cases('query', {
  'a limit ends a page at the item that reaches it, whose key is the last evaluated one': async bench => {
    const partition = await letters(bench)
    const { pk, items } = partition
    const page = (Limit: number, more = {}) => partition.query('pk = :pk', {}, { Limit, ...more })
    const last = (sk: string): { LastEvaluatedKey: Key } => ({ LastEvaluatedKey: { pk, sk: text(sk) } })
    same(await page(2), { Items: items.slice(0, 2), Count: 2, ScannedCount: 2, ...last('b') })
    const reverse = { ScanIndexForward: false }
    same(await page(2, reverse), { Items: [items[4], items[3]], Count: 2, ScannedCount: 2, ...last('d') })
  },

  'a limit above what there is ends with the last item and gives no key': async bench => {
    const partition = await letters(bench)
    const { items } = partition
    same(await partition.query('pk = :pk', {}, { Limit: 6 }), { Items: items, Count: 5, ScannedCount: 5 })
  },

  'a limit that falls on the last item gives its key, after which there is an empty page': async bench => {
    const partition = await letters(bench)
    const { pk, items } = partition
    const LastEvaluatedKey = { pk, sk: text('e') }
    const all = await pages(start => partition.query('pk = :pk', {}, { Limit: 5, ...start }))
    same(all, [
      { Items: items, Count: 5, ScannedCount: 5, LastEvaluatedKey },
      { Items: [], Count: 0, ScannedCount: 0 },
    ])
  },

  'a start key is where the page before ended: the next begins after it': async bench => {
    const partition = await letters(bench)
    const { pk } = partition
    const from = async (sk: string, more = {}) =>
      listed(await partition.query('pk = :pk', {}, { ExclusiveStartKey: { pk, sk: text(sk) }, ...more }))
    same(await from('b'), ['c', 'd', 'e'])
    same(await from('b', { ScanIndexForward: false }), ['a'])
    same(await from('e'), [])
  },

  'a start key need not be there': async bench => {
    const partition = await letters(bench)
    const { pk } = partition
    const from = async (sk: string, more = {}) =>
      listed(await partition.query('pk = :pk', {}, { ExclusiveStartKey: { pk, sk: text(sk) }, ...more }))
    same(await from('bb'), ['c', 'd', 'e'])
    same(await from('bb', { ScanIndexForward: false }), ['b', 'a'])
    same(await from('0'), ['a', 'b', 'c', 'd', 'e'])
    same(await from('z'), [])
  },

  'a start key goes with a condition on the sort key': async bench => {
    const partition = await letters(bench)
    const { pk } = partition
    const start = { ExclusiveStartKey: { pk, sk: text('c') } }
    same(await partition.sorts('sk BETWEEN :a AND :d', { ':a': text('a'), ':d': text('d') }, start), ['d'])
    same(await partition.sorts('sk >= :b', { ':b': text('b') }, { ...start, ScanIndexForward: false }), ['b'])
    same(await partition.sorts('sk = :c', { ':c': text('c') }, start), [])
  },

  'paging by any limit visits every item once, in either direction': async bench => {
    const partition = await letters(bench)
    const items = [...partition.items]
    for (const Limit of [1, 2, 3, 4, 5, 6]) {
      same(await allItems(start => partition.query('pk = :pk', {}, { Limit, ...start })), items)
      const backwards = { Limit, ScanIndexForward: false }
      const reverse = await allItems(start => partition.query('pk = :pk', {}, { ...backwards, ...start }))
      same(reverse, [...items].reverse())
    }
  },

  'paging within any condition on the sort key goes on from every item, those at its bounds too': async bench => {
    for (const [table, values] of SORTS) {
      const rows = values.map(sk => ({ sk }))
      const partition = await Partition.of(bench, table, rows)
      for (const [condition, given, [from, to]] of WITHIN) {
        if (table === 'compositeN' && condition.startsWith('begins_with')) continue
        const items = partition.items.slice(from, to)
        const meant = Object.fromEntries(given.map(at => [`:${at}`, values[at]!]))
        const read = (more: Partial<QueryRequest>) =>
          allItems(start => partition.query(`pk = :pk AND ${condition}`, meant, { Limit: 1, ...more, ...start }))
        same(await read({}), items)
        same(await read({ ScanIndexForward: false }), items.reverse())
      }
    }
  },

  'items put and deleted between two pages do not move the place where the next begins': async bench => {
    const rows = ['a', 'b', 'c', 'd'].map(sort => ({ sk: text(sort) }))
    const partition = await Partition.of(bench, 'composite', rows)
    const { store, TableName, pk } = partition
    const { LastEvaluatedKey } = await partition.query('pk = :pk', {}, { Limit: 2 })
    await store.deleteItem({ TableName, Key: { pk, sk: text('b') } })
    await bench.put(TableName, { pk, sk: text('aa') }, { pk, sk: text('bb') })
    same(listed(await partition.query('pk = :pk', {}, { ExclusiveStartKey: LastEvaluatedKey })), ['bb', 'c', 'd'])
  },

  'the last evaluated key of a global index has the keys of the index and of the table': async bench => {
    const found = await indexed(bench)
    const { b, c } = found.items
    const keys = ['pk', 'sk', 'group', 'rank']
    const page = () => found.queryGroup('byGroup', '#g = :g', {}, { Limit: 2 })
    await settles(bench, async () => (await page()).LastEvaluatedKey, only(c, ...keys))
    const start = { ExclusiveStartKey: only(b, ...keys) }
    await settles(bench, async () => listed(await found.queryGroup('byGroup', '#g = :g', {}, start)), ['c', 'a'])
    const reverse = { ...start, ScanIndexForward: false }
    await settles(bench, async () => listed(await found.queryGroup('byGroup', '#g = :g', {}, reverse)), [])
  },

  'the last evaluated key of a local index has its key and the sort key of the table': async bench => {
    const { partition, items } = await indexed(bench)
    const { LastEvaluatedKey } = await partition.query('pk = :pk', {}, { IndexName: 'byLocal', Limit: 2 })
    same(LastEvaluatedKey, only(items.b, 'pk', 'sk', 'local'))
  },

  'a start key of an index need not be in it': async bench => {
    const found = await indexed(bench)
    const { partition, group } = found
    const start = (rank: number, sk: string) => ({
      ExclusiveStartKey: { pk: text('nobody'), sk: text(sk), group, rank: number(rank) },
    })
    const from = (rank: number, more = {}) =>
      found.queryGroup('byGroup', '#g = :g', {}, { ...start(rank, 'x'), ...more })
    await settles(bench, async () => listed(await from(1.5)), ['c', 'a'])
    await settles(bench, async () => listed(await from(2.5, { ScanIndexForward: false })), ['c', 'b'])
    const { pk } = partition
    const local = { ExclusiveStartKey: { pk, sk: text('none'), local: text('xx') }, IndexName: 'byLocal' }
    same(listed(await partition.query('pk = :pk', {}, local)), ['b', 'a'])
  },

  'paging over equal sort keys of a global index visits every item once': async bench => {
    const { group, partition } = await equals(bench)
    const request = (IndexName: string, more: Partial<QueryRequest>): QueryRequest => ({
      TableName: partition.TableName,
      IndexName,
      KeyConditionExpression: '#g = :g',
      ...placeholders({ '#g': 'group', ':g': group }),
      ...more,
    })
    for (const IndexName of ['byGroup', 'groupOnly'])
      for (const Limit of [1, 2, 3, 7])
        for (const ScanIndexForward of [true, false]) {
          const more = { Limit, ScanIndexForward }
          const read = () => allItems(start => query(bench.store, request(IndexName, { ...more, ...start })))
          await settles(bench, async () => bySort(await read()), ['0', '1', '2', '3', '4', '5', '6'])
        }
  },

  'paging over equal sort keys of a local index visits every item once': async bench => {
    const { partition } = await equals(bench)
    for (const IndexName of ['byLocal', 'byRank'])
      for (const Limit of [1, 2, 3, 7])
        for (const ScanIndexForward of [true, false]) {
          const more = { IndexName, Limit, ScanIndexForward }
          const items = await allItems(start => partition.query('pk = :pk', {}, { ...more, ...start }))
          same(bySort(items), ['0', '1', '2', '3', '4', '5', '6'])
        }
  },
})
