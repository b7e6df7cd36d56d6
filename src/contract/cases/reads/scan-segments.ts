import type { Item, Key } from '../../../dynamodb/attribute-value.js'
import { SCAN_SEGMENTS } from '../../../dynamodb/limits.js'
import { expectEqual, expectValidationError } from '../../assertions.js'
import { defineCases, withCoverage } from '../../contract-case.js'
import { pickAttributes } from '../../fixtures/indexed-items.js'
import { readAllItems } from '../../fixtures/test-partition.js'
import { scannedTable } from './scan.js'

function keysOf(items: readonly Item[]): string[] {
  return items.map(item => `${item.pk!.S}/${item.sk!.S}`).sort()
}

const WITHOUT_TOTAL =
  'The TotalSegments parameter is required but was not present in the request when Segment parameter is present'
const WITHOUT_SEGMENT =
  'The Segment parameter is required but was not present in the request when parameter TotalSegments is present'

/** Cases of parallel scans. */
export const scanSegmentCases = defineCases('scan', {
  'segments are disjoint and together contain every item': async bench => {
    const { items, strongly } = await scannedTable(bench)
    for (const TotalSegments of [1, 2, 3, 7, 16]) {
      const found: Item[] = []
      for (let Segment = 0; Segment < TotalSegments; Segment++)
        found.push(...(await strongly({ Segment, TotalSegments })).Items!)
      expectEqual(keysOf(found), keysOf(items))
    }
  },

  'a partition is in one segment': async bench => {
    const { strongly } = await scannedTable(bench)
    for (let Segment = 0; Segment < 4; Segment++) {
      const { Items } = await strongly({ Segment, TotalSegments: 4 })
      const partitions = new Set(Items!.map(item => item.pk!.S))
      expectEqual(Items!.length, partitions.size * 3)
    }
  },

  'a segment is stable across scans and pages by a limit': async bench => {
    const { strongly } = await scannedTable(bench)
    for (const Segment of [0, 1]) {
      const whole = (await strongly({ Segment, TotalSegments: 2 })).Items
      expectEqual(await readAllItems(start => strongly({ Segment, TotalSegments: 2, Limit: 2, ...start })), whole)
    }
  },

  'segments can be combined with filters, projections and counts': async bench => {
    const { strongly } = await scannedTable(bench)
    const counts = [0, 1, 2].map(Segment =>
      strongly({ Segment, TotalSegments: 3, Select: 'COUNT', FilterExpression: 'attribute_exists(kept)' }),
    )
    const pages = await Promise.all(counts)
    expectEqual(
      pages.reduce((sum, page) => sum + page.Count!, 0),
      24,
    )
    expectEqual(
      pages.reduce((sum, page) => sum + page.ScannedCount!, 0),
      36,
    )
  },

  'an index is scanned in segments as a table is': async bench => {
    const { items, read } = await scannedTable(bench)
    for (const IndexName of ['groupOnly', 'byRank']) {
      const there = items.filter(item => (IndexName === 'byRank' ? item.rank : item.group))
      await bench.eventually(async () => {
        const segments = [0, 1, 2].map(Segment => read({ IndexName, Segment, TotalSegments: 3 }))
        const found = (await Promise.all(segments)).flatMap(page => page.Items!)
        expectEqual(keysOf(found), keysOf(there))
      })
    }
  },

  'a start key from another segment is rejected': async bench => {
    const { strongly } = await scannedTable(bench)
    const refusal = (segment: number) =>
      'The provided starting key is invalid: Invalid ExclusiveStartKey. ' +
      `Please use ExclusiveStartKey with correct Segment. TotalSegments: 2 Segment: ${segment}`
    for (const [Segment, other] of [
      [0, 1],
      [1, 0],
    ] as const) {
      const { Items } = await strongly({ Segment: other, TotalSegments: 2 })
      const ExclusiveStartKey: Key = pickAttributes(Items![0]!, 'pk', 'sk')
      await expectValidationError(strongly({ Segment, TotalSegments: 2, ExclusiveStartKey }), refusal(Segment))
    }
  },

  'Segment requires a larger TotalSegments': async bench => {
    const { read } = await scannedTable(bench)
    await expectValidationError(read({ Segment: 0 }), WITHOUT_TOTAL)
    await expectValidationError(read({ Segment: 3 }), WITHOUT_TOTAL)
    await expectValidationError(read({ TotalSegments: 2 }), WITHOUT_SEGMENT)
    const notBelow = (segment: number, total: number) =>
      'The Segment parameter is zero-based and must be less than parameter TotalSegments: ' +
      `Segment: ${segment} is not less than TotalSegments: ${total}`
    await expectValidationError(read({ Segment: 2, TotalSegments: 2 }), notBelow(2, 2))
    await expectValidationError(read({ Segment: 5, TotalSegments: 1 }), notBelow(5, 1))
  },

  'segments are validated before the table is looked up': async bench => {
    const TableName = 'there-is-no-such-table'
    await expectValidationError(bench.store.scan({ TableName, Segment: 0 }), WITHOUT_TOTAL)
    await expectValidationError(bench.store.scan({ TableName, TotalSegments: 4 }), WITHOUT_SEGMENT)
    await expectValidationError(
      bench.store.scan({ TableName, TotalSegments: 4, FilterExpression: '=' }),
      WITHOUT_SEGMENT,
    )
  },

  'more than one million segments are rejected': withCoverage(['limit:SCAN_SEGMENTS'], async bench => {
    const { strongly } = await scannedTable(bench)
    const last = { Segment: SCAN_SEGMENTS - 1, TotalSegments: SCAN_SEGMENTS }
    const { Count, ScannedCount } = await strongly({ ...last, Select: 'COUNT' })
    expectEqual([Count! <= 36, ScannedCount], [true, Count])
    await expectValidationError(
      strongly({ Segment: 0, TotalSegments: SCAN_SEGMENTS + 1 }),
      `1 validation error detected: Value '${SCAN_SEGMENTS + 1}' at 'totalSegments' failed to satisfy constraint: ` +
        `Member must have value less than or equal to ${SCAN_SEGMENTS}`,
    )
  }),
})
