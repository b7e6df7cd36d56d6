import type { AttributeValue } from '../../../dynamodb/attribute-value.js'
import { type ContractCase, cases, type Run } from '../case.js'
import { same } from '../expect.js'
import { binary, fixture, listed, number, Partition, query, text } from './reading.js'

const STRINGS = ['a', 'ab', 'abc', 'b', 'ba', 'c']
const NUMBERS = ['-100', '-1.5', '0', '0.002', '2', '10', '100']
const BINARIES = [[1], [1, 0], [1, 255], [2], [128], [255], [255, 255], [255, 255, 1]]

const strings = fixture(bench =>
  Partition.of(
    bench,
    'composite',
    STRINGS.map(sort => ({ sk: text(sort) })),
  ),
)
const numbers = fixture(bench =>
  Partition.of(
    bench,
    'compositeN',
    NUMBERS.map(sort => ({ sk: number(sort) })),
  ),
)
const binaries = fixture(bench =>
  Partition.of(
    bench,
    'compositeB',
    BINARIES.map(sort => ({ sk: binary(...sort) })),
  ),
)

const KINDS = {
  string: { partition: strings, all: STRINGS },
  number: { partition: numbers, all: NUMBERS },
  binary: { partition: binaries, all: BINARIES.map(sort => Uint8Array.from(sort)) },
}

type Expectation = [values: AttributeValue[], from: number, to: number]

/** What each condition finds, by the places of its first item and of the one after its last. */
const FOUND: Record<keyof typeof KINDS, Record<string, Expectation[]>> = {
  string: {
    'sk = :a': [
      [[text('ab')], 1, 2],
      [[text('bb')], 0, 0],
    ],
    'sk < :a': [
      [[text('b')], 0, 3],
      [[text('a')], 0, 0],
    ],
    'sk <= :a': [[[text('b')], 0, 4]],
    'sk > :a': [
      [[text('b')], 4, 6],
      [[text('aa')], 1, 6],
    ],
    'sk >= :a': [[[text('b')], 3, 6]],
    'sk BETWEEN :a AND :b': [
      [[text('ab'), text('b')], 1, 4],
      [[text('b'), text('b')], 3, 4],
      [[text('d'), text('e')], 0, 0],
    ],
    'begins_with(sk, :a)': [
      [[text('a')], 0, 3],
      [[text('abc')], 2, 3],
      [[text('bc')], 0, 0],
    ],
  },
  number: {
    'sk = :a': [
      [[number(2)], 4, 5],
      [[number('2.00')], 4, 5],
      [[number(3)], 0, 0],
    ],
    'sk < :a': [[[number(0)], 0, 2]],
    'sk <= :a': [[[number(0)], 0, 3]],
    'sk > :a': [[[number('-1.5')], 2, 7]],
    'sk >= :a': [[[number('1e1')], 5, 7]],
    'sk BETWEEN :a AND :b': [[[number(-2), number('0.002')], 1, 4]],
  },
  binary: {
    'sk = :a': [
      [[binary(1)], 0, 1],
      [[binary(1, 1)], 0, 0],
    ],
    'sk < :a': [[[binary(2)], 0, 3]],
    'sk <= :a': [[[binary(2)], 0, 4]],
    'sk > :a': [[[binary(128)], 5, 8]],
    'sk >= :a': [[[binary(128)], 4, 8]],
    'sk BETWEEN :a AND :b': [[[binary(1, 0), binary(2)], 1, 4]],
    'begins_with(sk, :a)': [
      [[binary(1)], 0, 3],
      [[binary(255)], 5, 8],
      [[binary(255, 255)], 6, 8],
    ],
  },
}

function findings(kind: keyof typeof KINDS): Record<string, Run> {
  const { partition, all } = KINDS[kind]
  const runs = Object.entries(FOUND[kind]).map(([condition, expectations]): [string, Run] => [
    `${condition} finds what it says of ${kind} sort keys, in their order`,
    async bench => {
      const items = await partition(bench)
      for (const [values, from, to] of expectations) {
        const given = Object.fromEntries(values.map((value, i) => [i === 0 ? ':a' : ':b', value]))
        same(await items.sorts(condition, given), all.slice(from, to))
        const reverse = await items.sorts(condition, given, { ScanIndexForward: false })
        same(reverse, all.slice(from, to).reverse())
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

const forms = cases('query', {
  'a comparison may have its value on the left': async bench => {
    const items = await strings(bench)
    for (const [operator, mirrored] of MIRRORED) {
      const left = await items.sorts(`:v ${operator} sk`, { ':v': text('b') })
      same(left, await items.sorts(`sk ${mirrored} :v`, { ':v': text('b') }))
    }
    same(listed(await items.query(':pk = pk AND :v < sk', { ':v': text('b') })), ['ba', 'c'])
  },

  'the parts of a key condition may come in any order': async bench => {
    const items = await strings(bench)
    same(listed(await items.query('sk = :v AND pk = :pk', { ':v': text('ab') })), ['ab'])
    same(listed(await items.query('sk BETWEEN :a AND :b AND pk = :pk', { ':a': text('b'), ':b': text('c') })), [
      'b',
      'ba',
      'c',
    ])
  },

  'parentheses may stand around a key condition and around its parts': async bench => {
    const items = await strings(bench)
    const given = { ':v': text('ab') }
    const conditions = ['(pk = :pk) AND (sk = :v)', '(pk = :pk AND sk = :v)', '((pk = :pk) AND sk = :v)']
    for (const condition of conditions) same(listed(await items.query(condition, given)), ['ab'])
    same(listed(await items.query('(pk = :pk)')), STRINGS)
  },

  'keywords of a key condition may be in any case, and space may be anything blank': async bench => {
    const items = await strings(bench)
    const given = { ':a': text('ab'), ':b': text('b') }
    same(listed(await items.query('pk=:pk and sk between :a and :b', given)), ['ab', 'abc', 'b'])
    same(listed(await items.query('\tpk\n= :pk  And\r\nsk Between :a aNd :b ', given)), ['ab', 'abc', 'b'])
  },

  'names in a key condition may be aliases': async bench => {
    const items = await strings(bench)
    const given = { '#p': 'pk', '#s': 'sk', ':v': text('ab') }
    same(listed(await items.query('#p = :pk AND begins_with(#s, :v)', given)), ['ab', 'abc'])
  },

  'a partition key of numbers is found by value, however it is written': async bench => {
    const TableName = await bench.table('hashN')
    const pk = number(bench.unique('').replace(/\D/g, '').slice(-15).replace(/^0+/, ''))
    await bench.put(TableName, { pk })
    for (const written of [pk, number(`${pk.N}.0`), number(`+${pk.N}`), number(`${pk.N}0e-1`)]) {
      const answer = await query(bench.store, {
        TableName,
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': written },
        ConsistentRead: true,
      })
      same(answer, { Items: [{ pk }], Count: 1, ScannedCount: 1 })
    }
  },

  'a partition key of bytes is found by its bytes': async bench => {
    const TableName = await bench.table('hashB')
    const bytes = new TextEncoder().encode(bench.unique())
    await bench.put(TableName, { pk: { B: bytes } })
    const find = (pk: Uint8Array) =>
      query(bench.store, {
        TableName,
        KeyConditionExpression: 'pk = :pk',
        ExpressionAttributeValues: { ':pk': { B: pk } },
        ConsistentRead: true,
      })
    same(await find(bytes), { Items: [{ pk: { B: bytes } }], Count: 1, ScannedCount: 1 })
    same(await find(bytes.subarray(1)), { Items: [], Count: 0, ScannedCount: 0 })
  },
})

/** What key conditions find. */
export const keyConditionCases: readonly ContractCase[] = [
  ...cases('query', findings('string')),
  ...cases('query', findings('number')),
  ...cases('query', findings('binary')),
  ...forms,
]
