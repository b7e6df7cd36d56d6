import type { AttributeValue } from '../../../dynamodb/attribute-value.js'
import { expectEqual } from '../../assertions.js'
import { type CaseRunner, type ContractCase, defineCases } from '../../contract-case.js'
import {
  attributeOfItems,
  binaryValue,
  numericValue,
  runQuery,
  sharedFixture,
  stringValue,
  TestPartition,
} from '../../fixtures/test-partition.js'

const STRINGS = ['a', 'ab', 'abc', 'b', 'ba', 'c']
const NUMBERS = ['-100', '-1.5', '0', '0.002', '2', '10', '100']
const BINARIES = [[1], [1, 0], [1, 255], [2], [128], [255], [255, 255], [255, 255, 1]]

const stringRows = sharedFixture(bench =>
  TestPartition.of(
    bench,
    'composite',
    STRINGS.map(sort => ({ sk: stringValue(sort) })),
  ),
)
const numberRows = sharedFixture(bench =>
  TestPartition.of(
    bench,
    'compositeN',
    NUMBERS.map(sort => ({ sk: numericValue(sort) })),
  ),
)
const binaryRows = sharedFixture(bench =>
  TestPartition.of(
    bench,
    'compositeB',
    BINARIES.map(sort => ({ sk: binaryValue(...sort) })),
  ),
)

const KINDS = {
  string: { partition: stringRows, all: STRINGS },
  number: { partition: numberRows, all: NUMBERS },
  binary: { partition: binaryRows, all: BINARIES.map(sort => Uint8Array.from(sort)) },
}

type Expectation = [values: AttributeValue[], from: number, to: number]

/** The matches of each condition, by the position of the first item and the position after the last. */
const EXPECTATIONS: Record<keyof typeof KINDS, Record<string, Expectation[]>> = {
  string: {
    'sk = :a': [
      [[stringValue('ab')], 1, 2],
      [[stringValue('bb')], 0, 0],
    ],
    'sk < :a': [
      [[stringValue('b')], 0, 3],
      [[stringValue('a')], 0, 0],
    ],
    'sk <= :a': [[[stringValue('b')], 0, 4]],
    'sk > :a': [
      [[stringValue('b')], 4, 6],
      [[stringValue('aa')], 1, 6],
    ],
    'sk >= :a': [[[stringValue('b')], 3, 6]],
    'sk BETWEEN :a AND :b': [
      [[stringValue('ab'), stringValue('b')], 1, 4],
      [[stringValue('b'), stringValue('b')], 3, 4],
      [[stringValue('d'), stringValue('e')], 0, 0],
    ],
    'begins_with(sk, :a)': [
      [[stringValue('a')], 0, 3],
      [[stringValue('abc')], 2, 3],
      [[stringValue('bc')], 0, 0],
    ],
  },
  number: {
    'sk = :a': [
      [[numericValue(2)], 4, 5],
      [[numericValue('2.00')], 4, 5],
      [[numericValue(3)], 0, 0],
    ],
    'sk < :a': [[[numericValue(0)], 0, 2]],
    'sk <= :a': [[[numericValue(0)], 0, 3]],
    'sk > :a': [[[numericValue('-1.5')], 2, 7]],
    'sk >= :a': [[[numericValue('1e1')], 5, 7]],
    'sk BETWEEN :a AND :b': [[[numericValue(-2), numericValue('0.002')], 1, 4]],
  },
  binary: {
    'sk = :a': [
      [[binaryValue(1)], 0, 1],
      [[binaryValue(1, 1)], 0, 0],
    ],
    'sk < :a': [[[binaryValue(2)], 0, 3]],
    'sk <= :a': [[[binaryValue(2)], 0, 4]],
    'sk > :a': [[[binaryValue(128)], 5, 8]],
    'sk >= :a': [[[binaryValue(128)], 4, 8]],
    'sk BETWEEN :a AND :b': [[[binaryValue(1, 0), binaryValue(2)], 1, 4]],
    'begins_with(sk, :a)': [
      [[binaryValue(1)], 0, 3],
      [[binaryValue(255)], 5, 8],
      [[binaryValue(255, 255)], 6, 8],
    ],
  },
}

function findingCases(kind: keyof typeof KINDS): Record<string, CaseRunner> {
  const { partition, all } = KINDS[kind]
  const runs = Object.entries(EXPECTATIONS[kind]).map(([condition, expectations]): [string, CaseRunner] => [
    `${condition} finds what it says of ${kind} sort keys, in their order`,
    async bench => {
      const items = await partition(bench)
      for (const [values, from, to] of expectations) {
        const given = Object.fromEntries(values.map((value, i) => [i === 0 ? ':a' : ':b', value]))
        expectEqual(await items.findSortKeys(condition, given), all.slice(from, to))
        const reverse = await items.findSortKeys(condition, given, { ScanIndexForward: false })
        expectEqual(reverse, all.slice(from, to).reverse())
      }
    },
  ])
  return Object.fromEntries(runs)
}

const MIRRORED: [operator: string, mirrored: string][] = [
  ['=', '='],
  ['<', '>'],
  ['<=', '>='],
  ['>', '<'],
  ['>=', '<='],
]

const forms = defineCases('query', {
  'a comparison can have its value on the left': async bench => {
    const items = await stringRows(bench)
    for (const [operator, mirrored] of MIRRORED) {
      const left = await items.findSortKeys(`:v ${operator} sk`, { ':v': stringValue('b') })
      expectEqual(left, await items.findSortKeys(`sk ${mirrored} :v`, { ':v': stringValue('b') }))
    }
    expectEqual(attributeOfItems(await items.query(':pk = pk AND :v < sk', { ':v': stringValue('b') })), ['ba', 'c'])
  },

  'the parts of a key condition can have any order': async bench => {
    const items = await stringRows(bench)
    expectEqual(attributeOfItems(await items.query('sk = :v AND pk = :pk', { ':v': stringValue('ab') })), ['ab'])
    expectEqual(
      attributeOfItems(
        await items.query('sk BETWEEN :a AND :b AND pk = :pk', { ':a': stringValue('b'), ':b': stringValue('c') }),
      ),
      ['b', 'ba', 'c'],
    )
  },

  'a key condition and its parts can be in parentheses': async bench => {
    const items = await stringRows(bench)
    const given = { ':v': stringValue('ab') }
    const conditions = ['(pk = :pk) AND (sk = :v)', '(pk = :pk AND sk = :v)', '((pk = :pk) AND sk = :v)']
    for (const condition of conditions) expectEqual(attributeOfItems(await items.query(condition, given)), ['ab'])
    expectEqual(attributeOfItems(await items.query('(pk = :pk)')), STRINGS)
  },

  'keywords of a key condition are case-insensitive, and any whitespace separates them': async bench => {
    const items = await stringRows(bench)
    const given = { ':a': stringValue('ab'), ':b': stringValue('b') }
    expectEqual(attributeOfItems(await items.query('pk=:pk and sk between :a and :b', given)), ['ab', 'abc', 'b'])
    expectEqual(attributeOfItems(await items.query('\tpk\n= :pk  And\r\nsk Between :a aNd :b ', given)), [
      'ab',
      'abc',
      'b',
    ])
  },

  'names in a key condition can be aliases': async bench => {
    const items = await stringRows(bench)
    const given = { '#p': 'pk', '#s': 'sk', ':v': stringValue('ab') }
    expectEqual(attributeOfItems(await items.query('#p = :pk AND begins_with(#s, :v)', given)), ['ab', 'abc'])
  },

  'a numeric partition key matches by value, independent of its notation': async bench => {
    const TableName = await bench.sharedTable('hashN')
    const pk = numericValue(bench.unique('').replace(/\D/g, '').slice(-15).replace(/^0+/, ''))
    await bench.put(TableName, { pk })
    for (const written of [pk, numericValue(`${pk.N}.0`), numericValue(`+${pk.N}`), numericValue(`${pk.N}0e-1`)]) {
      const answer = await runQuery(bench.store, {
        TableName,
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': written },
        ConsistentRead: true,
      })
      expectEqual(answer, { Items: [{ pk }], Count: 1, ScannedCount: 1 })
    }
  },

  'a binary partition key matches by its bytes': async bench => {
    const TableName = await bench.sharedTable('hashB')
    const bytes = new TextEncoder().encode(bench.unique())
    await bench.put(TableName, { pk: { B: bytes } })
    const find = (pk: Uint8Array) =>
      runQuery(bench.store, {
        TableName,
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': { B: pk } },
        ConsistentRead: true,
      })
    expectEqual(await find(bytes), { Items: [{ pk: { B: bytes } }], Count: 1, ScannedCount: 1 })
    expectEqual(await find(bytes.subarray(1)), { Items: [], Count: 0, ScannedCount: 0 })
  },
})

/** Cases of the matches of key conditions. */
export const keyConditionCases: readonly ContractCase[] = [
  ...defineCases('query', findingCases('string')),
  ...defineCases('query', findingCases('number')),
  ...defineCases('query', findingCases('binary')),
  ...forms,
]
