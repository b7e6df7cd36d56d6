import type { Item } from '../../../dynamodb/attribute-value.js'
import type { Bench } from '../bench.js'
import { cases, covering } from '../case.js'
import { same } from '../expect.js'
import type { SharedTable } from '../tables.js'
import { binary, listed, number, Partition, query, settles, text } from './reading.js'

/** In the order of their UTF-8 bytes, which is not that of JavaScript: surrogates stand for what comes last. */
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

/** In the order of their bytes without sign. */
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

/** Rows with their place in the order, put in another. */
async function shuffled(bench: Bench, table: SharedTable, rows: readonly Item[]): Promise<Partition> {
  const placed = rows.map((row, i) => ({ ...row, place: number(i) }))
  const odd = placed.filter((_, i) => i % 2 === 1)
  const even = placed.filter((_, i) => i % 2 === 0)
  return Partition.of(bench, table, [...odd.reverse(), ...even])
}

const places = (count: number) => Array.from({ length: count }, (_, i) => String(i))

async function ordered(bench: Bench, table: SharedTable, rows: readonly Item[]): Promise<void> {
  const partition = await shuffled(bench, table, rows)
  same(listed(await partition.query('pk = :pk'), 'place'), places(rows.length))
  const reverse = await partition.query('pk = :pk', {}, { ScanIndexForward: false })
  same(listed(reverse, 'place'), places(rows.length).reverse())
}

/** The order of sort keys. */
export const orderCases = cases('query', {
  'strings are in the order of their UTF-8 bytes': bench =>
    ordered(
      bench,
      'composite',
      STRINGS.map(sort => ({ sk: text(sort) })),
    ),

  'numbers are in the order of their values, to the last of 38 digits': covering(
    ['limit:NUMBER_DIGITS', 'limit:NUMBER_EXPONENT_MAX', 'limit:NUMBER_EXPONENT_MIN'],
    bench =>
      ordered(
        bench,
        'compositeN',
        NUMBERS.map(sort => ({ sk: number(sort) })),
      ),
  ),

  'binaries are in the order of their bytes, which have no sign': bench =>
    ordered(
      bench,
      'compositeB',
      BINARIES.map(sort => ({ sk: binary(...sort) })),
    ),

  'a range of strings is one of their UTF-8 bytes': async bench => {
    const partition = await shuffled(
      bench,
      'composite',
      STRINGS.map(sort => ({ sk: text(sort) })),
    )
    const found = (condition: string, given: Record<string, string>) => {
      const values = Object.entries(given).map(([name, value]) => [name, text(value)])
      return partition.sorts(condition, Object.fromEntries(values))
    }
    same(await found('sk > :v', { ':v': '\uffff' }), STRINGS.slice(-3))
    same(await found('sk BETWEEN :v AND :w', { ':v': '\ud7ff', ':w': '\u{10000}' }), STRINGS.slice(-6, -2))
    same(await found('begins_with(sk, :v)', { ':v': 'a' }), ['a', 'a\u0000', 'a\u0000b', 'a\u0001', 'a ', 'aa', 'ab'])
    same(await found('begins_with(sk, :v)', { ':v': '\u0000' }), STRINGS.slice(0, 3))
    same(await found('sk <= :v', { ':v': '\u0000\u0000' }), STRINGS.slice(0, 2))
  },

  'a range of numbers is one of their values': async bench => {
    const rows = NUMBERS.map(sort => ({ sk: number(sort) }))
    const partition = await shuffled(bench, 'compositeN', rows)
    const found = async (condition: string, ...values: string[]) => {
      const given = Object.fromEntries(values.map((value, i) => [`:${i}`, number(value)]))
      const answer = await partition.query(`pk = :pk AND ${condition}`, given)
      return listed(answer, 'place').map(place => NUMBERS[Number(place)])
    }
    same(await found('sk BETWEEN :0 AND :1', '-0.1', '1e-130'), ['-0.1', '-0.09', '-0.001', '-1e-130', '0', '1e-130'])
    same(await found('sk >= :0', NINES), [NINES, '1e38', '1e125', `${NINES}e88`])
    same(await found('sk < :0', '-1e38'), [`-${NINES}e88`, '-1e125'])
    same(await found('sk = :0', '0.001'), ['0.001'])
  },

  'the sort keys of indexes are in the same order as those of tables': async bench => {
    const group = text(bench.unique('group'))
    const ranks = ['-100', '-9.5', '-1e-10', '0', '3', '20', '100']
    const locals = ['a', 'a\u0000', 'b', '\uffff', '\u{10000}', '\u{10001}', '\u{10ffff}']
    const rows = ranks.map((rank, i) => ({
      sk: text(bench.unique('sort')),
      group,
      rank: number(rank),
      local: text(locals[i]!),
      kept: number(i),
    }))
    const partition = await shuffled(bench, 'composite', rows)
    const all = places(ranks.length)
    const grouped = () =>
      query(bench.store, {
        TableName: partition.TableName,
        IndexName: 'byGroup',
        KeyConditionExpression: '#g = :g',
        ExpressionAttributeNames: { '#g': 'group' },
        ExpressionAttributeValues: { ':g': group },
      })
    await settles(bench, async () => listed(await grouped(), 'kept'), all)
    same(listed(await partition.query('pk = :pk', {}, { IndexName: 'byLocal' }), 'kept'), all)
    const ProjectionExpression = 'kept'
    same(listed(await partition.query('pk = :pk', {}, { IndexName: 'byRank', ProjectionExpression }), 'kept'), all)
  },
})
