import type { Item } from '../../../dynamodb/attribute-value.js'
import { PAGE_BYTES } from '../../../dynamodb/limits.js'
import { itemBytes } from '../../../dynamodb/size.js'
import type { Bench } from '../bench.js'
import { cases, covering } from '../case.js'
import { same } from '../expect.js'
import { definitionOf } from '../tables.js'
import { only } from './indexed.js'
import { fixture, listed, number, Partition, pages, scan, text } from './reading.js'

/** An item of so many bytes, by its filler. */
function filled(item: Item, sizeBytes: number): Item {
  const rest = itemBytes({ ...item, filler: text('') })
  return { ...item, filler: text('x'.repeat(sizeBytes - rest)) }
}

/** A partition of large items: `a`, `b` and so on, each of so many bytes. */
async function largeItems(bench: Bench, count: number, sizeBytes: number): Promise<Partition> {
  const partition = await Partition.of(bench, 'composite', [])
  const { TableName, pk } = partition
  for (let i = 0; i < count; i++) {
    const sk = text(String.fromCharCode(97 + i))
    await bench.put(TableName, filled({ pk, sk, rank: number(i), even: { BOOL: i % 2 === 0 } }, sizeBytes))
  }
  return partition
}

/** Three of them are less than a page, four are more. */
const LARGE_BYTES = 300_000
const large = fixture(bench => largeItems(bench, 6, LARGE_BYTES))

const queries = cases('query', {
  'a page ends with the item that takes it past a megabyte, and the next begins after that': covering(
    ['limit:PAGE_BYTES'],
    async bench => {
      const partition = await large(bench)
      const all = await pages(start => partition.query('pk = :pk', {}, start))
      same(
        all.map(page => listed(page)),
        [
          ['a', 'b', 'c', 'd'],
          ['e', 'f'],
        ],
      )
      same(all[0]!.LastEvaluatedKey, { pk: partition.pk, sk: text('d') })
    },
  ),

  'a page of a megabyte to the byte is full': covering(['limit:PAGE_BYTES'], async bench => {
    const partition = await largeItems(bench, 5, PAGE_BYTES / 4)
    const page = await partition.query('pk = :pk', {}, { Select: 'COUNT' })
    same(page, { Count: 4, ScannedCount: 4, LastEvaluatedKey: { pk: partition.pk, sk: text('d') } })
  }),

  'a full page gives its last key even where nothing follows, and one below a megabyte gives none': async bench => {
    const full = await largeItems(bench, 4, LARGE_BYTES)
    const { pk } = full
    const all = await pages(start => full.query('pk = :pk', {}, { Select: 'COUNT', ...start }))
    same(all, [
      { Count: 4, ScannedCount: 4, LastEvaluatedKey: { pk, sk: text('d') } },
      { Count: 0, ScannedCount: 0 },
    ])
    const below = await largeItems(bench, 3, LARGE_BYTES)
    same(await below.query('pk = :pk', {}, { Select: 'COUNT' }), { Count: 3, ScannedCount: 3 })
  },

  'neither a filter, nor a projection, nor a count makes a page longer': async bench => {
    const partition = await large(bench)
    const LastEvaluatedKey = { pk: partition.pk, sk: text('d') }
    const none = { FilterExpression: 'attribute_exists(nothing)' }
    same(await partition.query('pk = :pk', {}, none), { Items: [], Count: 0, ScannedCount: 4, LastEvaluatedKey })
    const even = { FilterExpression: 'even = :yes', ProjectionExpression: 'sk' }
    same(await partition.query('pk = :pk', { ':yes': { BOOL: true } }, even), {
      Items: [{ sk: text('a') }, { sk: text('c') }],
      Count: 2,
      ScannedCount: 4,
      LastEvaluatedKey,
    })
    const count = await partition.query('pk = :pk', {}, { Select: 'COUNT' })
    same(count, { Count: 4, ScannedCount: 4, LastEvaluatedKey })
  },

  'of a limit and a megabyte whichever comes first ends a page': async bench => {
    const partition = await large(bench)
    const counts = async (Limit: number) => {
      const all = await pages(start => partition.query('pk = :pk', {}, { Select: 'COUNT', Limit, ...start }))
      return all.map(page => page.Count)
    }
    same((await counts(3)).slice(0, 2), [3, 3])
    same(await counts(5), [4, 2])
  },

  'a page read backwards is as long': async bench => {
    const partition = await large(bench)
    const backwards = { ScanIndexForward: false, ProjectionExpression: 'sk' }
    const all = await pages(start => partition.query('pk = :pk', {}, { ...backwards, ...start }))
    same(
      all.map(page => listed(page)),
      [
        ['f', 'e', 'd', 'c'],
        ['b', 'a'],
      ],
    )
  },

  'a page of an index is measured by what the index has': async bench => {
    const partition = await large(bench)
    const answer = await partition.query('pk = :pk', {}, { IndexName: 'byRank' })
    same(listed(answer), ['a', 'b', 'c', 'd', 'e', 'f'])
    same(answer.LastEvaluatedKey, undefined)
  },
})

const scans = cases('scan', {
  'a page of a scan ends with the item that takes it past a megabyte': covering(['limit:PAGE_BYTES'], async bench => {
    const { TableName: _, ...definition } = definitionOf('hash', '')
    const TableName = await bench.ownTable(definition)
    for (let i = 0; i < 6; i++) await bench.put(TableName, filled({ pk: text(`${i}`) }, LARGE_BYTES))
    const strongly = { TableName, ConsistentRead: true, ProjectionExpression: 'pk' }
    const all = await pages(start => scan(bench.store, { ...strongly, ...start }))
    same(
      all.map(page => page.Count),
      [4, 2],
    )
    same(all[0]!.LastEvaluatedKey, only(all[0]!.Items![3]!, 'pk'))
    const found = all.flatMap(page => listed(page, 'pk'))
    same(found.sort(), ['0', '1', '2', '3', '4', '5'])
  }),
})

/** Pages by their size. */
export const pageBytesCases = [...queries, ...scans]
