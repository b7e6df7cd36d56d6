import type { Item } from '../../../dynamodb/attribute-value.js'
import { PAGE_BYTES } from '../../../dynamodb/limits.js'
import { countItemBytes } from '../../../dynamodb/size.js'
import { expectEqual } from '../../assertions.js'
import { sharedTableDefinition } from '../../bench-tables.js'
import { defineCases, withCoverage } from '../../contract-case.js'
import { pickAttributes } from '../../fixtures/indexed-items.js'
import {
  attributeOfItems,
  numericValue,
  readPages,
  runScan,
  sharedFixture,
  stringValue,
  TestPartition,
} from '../../fixtures/test-partition.js'
import type { TestBench } from '../../test-bench.js'

/** An item with a filler, so that it has this size. */
function rowOfSize(item: Item, sizeBytes: number): Item {
  const rest = countItemBytes({ ...item, filler: stringValue('') })
  return { ...item, filler: stringValue('x'.repeat(sizeBytes - rest)) }
}

/** A partition of large items with sort keys `a`, `b` and so on, all of the same size. */
async function createLargeItems(bench: TestBench, count: number, sizeBytes: number): Promise<TestPartition> {
  const partition = await TestPartition.of(bench, 'composite', [])
  const { TableName, pk } = partition
  for (let i = 0; i < count; i++) {
    const sk = stringValue(String.fromCharCode(97 + i))
    await bench.put(TableName, rowOfSize({ pk, sk, rank: numericValue(i), even: { BOOL: i % 2 === 0 } }, sizeBytes))
  }
  return partition
}

/** Three of these items are below a page, and four exceed it. */
const LARGE_BYTES = 300_000
const sharedLargeItems = sharedFixture(bench => createLargeItems(bench, 6, LARGE_BYTES))

const queries = defineCases('query', {
  'a page ends with the item that exceeds one megabyte, and the next page begins after it': withCoverage(
    ['limit:PAGE_BYTES'],
    async bench => {
      const partition = await sharedLargeItems(bench)
      const all = await readPages(start => partition.query('pk = :pk', {}, start))
      expectEqual(
        all.map(page => attributeOfItems(page)),
        [
          ['a', 'b', 'c', 'd'],
          ['e', 'f'],
        ],
      )
      expectEqual(all[0]!.LastEvaluatedKey, { pk: partition.pk, sk: stringValue('d') })
    },
  ),

  'a page of exactly one megabyte is full': withCoverage(['limit:PAGE_BYTES'], async bench => {
    const partition = await createLargeItems(bench, 5, PAGE_BYTES / 4)
    const page = await partition.query('pk = :pk', {}, { Select: 'COUNT' })
    expectEqual(page, { Count: 4, ScannedCount: 4, LastEvaluatedKey: { pk: partition.pk, sk: stringValue('d') } })
  }),

  'a full page returns its last key even at the end, and a smaller page does not': async bench => {
    const full = await createLargeItems(bench, 4, LARGE_BYTES)
    const { pk } = full
    const all = await readPages(start => full.query('pk = :pk', {}, { Select: 'COUNT', ...start }))
    expectEqual(all, [
      { Count: 4, ScannedCount: 4, LastEvaluatedKey: { pk, sk: stringValue('d') } },
      { Count: 0, ScannedCount: 0 },
    ])
    const below = await createLargeItems(bench, 3, LARGE_BYTES)
    expectEqual(await below.query('pk = :pk', {}, { Select: 'COUNT' }), { Count: 3, ScannedCount: 3 })
  },

  'a filter, a projection or a count does not extend a page': async bench => {
    const partition = await sharedLargeItems(bench)
    const LastEvaluatedKey = { pk: partition.pk, sk: stringValue('d') }
    const none = { FilterExpression: 'attribute_exists(nothing)' }
    expectEqual(await partition.query('pk = :pk', {}, none), { Items: [], Count: 0, ScannedCount: 4, LastEvaluatedKey })
    const even = { FilterExpression: 'even = :yes', ProjectionExpression: 'sk' }
    expectEqual(await partition.query('pk = :pk', { ':yes': { BOOL: true } }, even), {
      Items: [{ sk: stringValue('a') }, { sk: stringValue('c') }],
      Count: 2,
      ScannedCount: 4,
      LastEvaluatedKey,
    })
    const count = await partition.query('pk = :pk', {}, { Select: 'COUNT' })
    expectEqual(count, { Count: 4, ScannedCount: 4, LastEvaluatedKey })
  },

  'a page ends at the limit or at one megabyte, whichever comes first': async bench => {
    const partition = await sharedLargeItems(bench)
    const counts = async (Limit: number) => {
      const all = await readPages(start => partition.query('pk = :pk', {}, { Select: 'COUNT', Limit, ...start }))
      return all.map(page => page.Count)
    }
    expectEqual((await counts(3)).slice(0, 2), [3, 3])
    expectEqual(await counts(5), [4, 2])
  },

  'a page in reverse order has the same size': async bench => {
    const partition = await sharedLargeItems(bench)
    const backwards = { ScanIndexForward: false, ProjectionExpression: 'sk' }
    const all = await readPages(start => partition.query('pk = :pk', {}, { ...backwards, ...start }))
    expectEqual(
      all.map(page => attributeOfItems(page)),
      [
        ['f', 'e', 'd', 'c'],
        ['b', 'a'],
      ],
    )
  },

  'a page of an index is measured by the projected size': async bench => {
    const partition = await sharedLargeItems(bench)
    const answer = await partition.query('pk = :pk', {}, { IndexName: 'byRank' })
    expectEqual(attributeOfItems(answer), ['a', 'b', 'c', 'd', 'e', 'f'])
    expectEqual(answer.LastEvaluatedKey, undefined)
  },
})

const scans = defineCases('scan', {
  'a page of a scan ends with the item that exceeds one megabyte': withCoverage(['limit:PAGE_BYTES'], async bench => {
    const { TableName: _, ...definition } = sharedTableDefinition('hash', '')
    const TableName = await bench.createOwnTable(definition)
    for (let i = 0; i < 6; i++) await bench.put(TableName, rowOfSize({ pk: stringValue(`${i}`) }, LARGE_BYTES))
    const strongly = { TableName, ConsistentRead: true, ProjectionExpression: 'pk' }
    const all = await readPages(start => runScan(bench.store, { ...strongly, ...start }))
    expectEqual(
      all.map(page => page.Count),
      [4, 2],
    )
    expectEqual(all[0]!.LastEvaluatedKey, pickAttributes(all[0]!.Items![3]!, 'pk'))
    const found = all.flatMap(page => attributeOfItems(page, 'pk'))
    expectEqual(found.sort(), ['0', '1', '2', '3', '4', '5'])
  }),
})

/** Cases of pages by their size. */
export const pageBytesCases = [...queries, ...scans]
