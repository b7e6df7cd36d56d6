import type { Item } from '../../../dynamodb/attribute-value.js'
import { expectEqual } from '../../assertions.js'
import type { SharedTable } from '../../bench-tables.js'
import { defineCases, withCoverage } from '../../contract-case.js'
import {
  attributeOfItems,
  binaryValue,
  expectEventually,
  numericValue,
  runQuery,
  stringValue,
  TestPartition,
} from '../../fixtures/test-partition.js'
import type { TestBench } from '../../test-bench.js'

/**
 * Strings in the order of their UTF-8 bytes. JavaScript's order differs, because surrogates sort before other late
 * characters.
 */
const STRINGS = [
  '\u0000',
  '\u0000\u0000',
  '\u0000\u0001',
  '\u0001',
  '\n',
  ' ',
  '!',
  '0',
  '10',
  '2',
  'A',
  'Z',
  'a',
  'a\u0000',
  'a\u0000b',
  'a\u0001',
  'a ',
  'aa',
  'ab',
  'b',
  '~',
  '\u007f',
  '\u0080',
  'é',
  '\u07ff',
  '\u0800',
  '中',
  '\ud7ff',
  '\ue000',
  '\uffff',
  '\u{10000}',
  '𝄞',
  '\u{10ffff}',
]

const NINES = '9'.repeat(38)
const ZEROS = '0'.repeat(36)

const NUMBERS = [
  `-${NINES}e88`,
  '-1e125',
  '-1e38',
  `-${NINES}`,
  '-12345678901234567890123456789012345679',
  '-12345678901234567890123456789012345678',
  '-1000',
  '-100.5',
  '-100',
  '-99.9',
  '-10.1',
  '-10',
  '-9.99',
  '-9',
  '-1.01',
  '-1',
  '-0.9',
  '-0.1',
  '-0.09',
  '-0.001',
  '-1e-130',
  '0',
  '1e-130',
  '1.1e-130',
  '0.001',
  `0.001${ZEROS}1`,
  '0.09',
  '0.1',
  '0.9',
  '1',
  `1.${ZEROS}1`,
  '1.01',
  '9',
  '9.99',
  '10',
  '10.1',
  '99.9',
  '100',
  '100.5',
  '1000',
  '12345678901234567890123456789012345678',
  '12345678901234567890123456789012345679',
  NINES,
  '1e38',
  '1e125',
  `${NINES}e88`,
]

/** Binaries in the order of their unsigned bytes. */
const BINARIES = [
  [0],
  [0, 0],
  [0, 1],
  [0, 255],
  [1],
  [1, 0],
  [127],
  [128],
  [128, 0],
  [254, 255],
  [255],
  [255, 0],
  [255, 255],
]

/** Rows with their position in the order, shuffled. */
async function createShuffled(bench: TestBench, table: SharedTable, rows: readonly Item[]): Promise<TestPartition> {
  const placed = rows.map((row, i) => ({ ...row, place: numericValue(i) }))
  const odd = placed.filter((_, i) => i % 2 === 1)
  const even = placed.filter((_, i) => i % 2 === 0)
  return TestPartition.of(bench, table, [...odd.reverse(), ...even])
}

const placeNames = (count: number) => Array.from({ length: count }, (_, i) => String(i))

async function expectOrdered(bench: TestBench, table: SharedTable, rows: readonly Item[]): Promise<void> {
  const partition = await createShuffled(bench, table, rows)
  expectEqual(attributeOfItems(await partition.query('pk = :pk'), 'place'), placeNames(rows.length))
  const reverse = await partition.query('pk = :pk', {}, { ScanIndexForward: false })
  expectEqual(attributeOfItems(reverse, 'place'), placeNames(rows.length).reverse())
}

/** Cases of the order of sort keys. */
export const orderCases = defineCases('query', {
  'strings sort by their UTF-8 bytes': bench =>
    expectOrdered(
      bench,
      'composite',
      STRINGS.map(sort => ({ sk: stringValue(sort) })),
    ),

  'numbers sort by their values, to the last of 38 digits': withCoverage(
    ['limit:NUMBER_DIGITS', 'limit:NUMBER_EXPONENT_MAX', 'limit:NUMBER_EXPONENT_MIN'],
    bench =>
      expectOrdered(
        bench,
        'compositeN',
        NUMBERS.map(sort => ({ sk: numericValue(sort) })),
      ),
  ),

  'binaries sort by their unsigned bytes': bench =>
    expectOrdered(
      bench,
      'compositeB',
      BINARIES.map(sort => ({ sk: binaryValue(...sort) })),
    ),

  'a range of strings compares UTF-8 bytes': async bench => {
    const partition = await createShuffled(
      bench,
      'composite',
      STRINGS.map(sort => ({ sk: stringValue(sort) })),
    )
    const found = (condition: string, given: Record<string, string>) => {
      const values = Object.entries(given).map(([name, value]) => [name, stringValue(value)])
      return partition.findSortKeys(condition, Object.fromEntries(values))
    }
    expectEqual(await found('sk > :v', { ':v': '\uffff' }), STRINGS.slice(-3))
    expectEqual(await found('sk BETWEEN :v AND :w', { ':v': '\ud7ff', ':w': '\u{10000}' }), STRINGS.slice(-6, -2))
    expectEqual(await found('begins_with(sk, :v)', { ':v': 'a' }), [
      'a',
      'a\u0000',
      'a\u0000b',
      'a\u0001',
      'a ',
      'aa',
      'ab',
    ])
    expectEqual(await found('begins_with(sk, :v)', { ':v': '\u0000' }), STRINGS.slice(0, 3))
    expectEqual(await found('sk <= :v', { ':v': '\u0000\u0000' }), STRINGS.slice(0, 2))
  },

  'a range of numbers compares values': async bench => {
    const rows = NUMBERS.map(sort => ({ sk: numericValue(sort) }))
    const partition = await createShuffled(bench, 'compositeN', rows)
    const found = async (condition: string, ...values: string[]) => {
      const given = Object.fromEntries(values.map((value, i) => [`:${i}`, numericValue(value)]))
      const answer = await partition.query(`pk = :pk AND ${condition}`, given)
      return attributeOfItems(answer, 'place').map(place => NUMBERS[Number(place)])
    }
    expectEqual(await found('sk BETWEEN :0 AND :1', '-0.1', '1e-130'), [
      '-0.1',
      '-0.09',
      '-0.001',
      '-1e-130',
      '0',
      '1e-130',
    ])
    expectEqual(await found('sk >= :0', NINES), [NINES, '1e38', '1e125', `${NINES}e88`])
    expectEqual(await found('sk < :0', '-1e38'), [`-${NINES}e88`, '-1e125'])
    expectEqual(await found('sk = :0', '0.001'), ['0.001'])
  },

  'sort keys of indexes sort like those of tables': async bench => {
    const group = stringValue(bench.unique('group'))
    const ranks = ['-100', '-9.5', '-1e-10', '0', '3', '20', '100']
    const locals = ['a', 'a\u0000', 'b', '\uffff', '\u{10000}', '\u{10001}', '\u{10ffff}']
    const rows = ranks.map((rank, i) => ({
      sk: stringValue(bench.unique('sort')),
      group,
      rank: numericValue(rank),
      local: stringValue(locals[i]!),
      kept: numericValue(i),
    }))
    const partition = await createShuffled(bench, 'composite', rows)
    const all = placeNames(ranks.length)
    const grouped = () =>
      runQuery(bench.store, {
        TableName: partition.TableName,
        IndexName: 'byGroup',
        KeyConditionExpression: '#g = :g',
        ExpressionAttributeNames: { '#g': 'group' },
        ExpressionAttributeValues: { ':g': group },
      })
    await expectEventually(bench, async () => attributeOfItems(await grouped(), 'kept'), all)
    expectEqual(attributeOfItems(await partition.query('pk = :pk', {}, { IndexName: 'byLocal' }), 'kept'), all)
    const ProjectionExpression = 'kept'
    expectEqual(
      attributeOfItems(await partition.query('pk = :pk', {}, { IndexName: 'byRank', ProjectionExpression }), 'kept'),
      all,
    )
  },
})
