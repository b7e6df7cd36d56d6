import { beforeAll, expect, it } from 'vitest'
import type { Item } from '../../../src/dynamodb/attribute-value.js'
import { memory } from '../../../src/engine/index.js'
import { defined, key, keyOf } from '../tables.js'

const store = memory()
const TableName = 'players'

const row = (members: Record<string, string>): Item =>
  Object.fromEntries(Object.entries(members).map(([name, S]) => [name, { S }]))

beforeAll(async () => {
  await store.createTable({
    TableName,
    AttributeDefinitions: defined('pk', 'sk', 'team', 'rank', 'other'),
    KeySchema: key('pk', 'sk'),
    BillingMode: 'PAY_PER_REQUEST',
    LocalSecondaryIndexes: [
      {
        IndexName: 'byRank',
        KeySchema: key('pk', 'rank'),
        Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: ['kept'] },
      },
    ],
    GlobalSecondaryIndexes: [
      {
        IndexName: 'byTeam',
        KeySchema: key('team'),
        Projection: { ProjectionType: 'INCLUDE', NonKeyAttributes: ['kept'] },
      },
      { IndexName: 'keysByTeam', KeySchema: key('team'), Projection: { ProjectionType: 'KEYS_ONLY' } },
      { IndexName: 'several', KeySchema: keyOf(['team', 'other']), Projection: { ProjectionType: 'ALL' } },
    ],
  })
  const items = [
    { pk: 'p', sk: '1', team: 'g', rank: 'a', kept: 'k1', extra: 'l1' },
    { pk: 'p', sk: '2', team: 'g', rank: 'b', kept: 'k2', extra: 'l2' },
    { pk: 'p', sk: '3', extra: 'l3' },
    { pk: 'q', sk: '4', team: 'h', kept: 'k4', extra: 'l4' },
  ]
  for (const item of items) await store.putItem({ TableName, Item: row(item) })
})

const run = (what: string, index: string, where: string, more = {}) =>
  store.executeStatement({ Statement: `SELECT ${what} FROM ${TableName}.${index} WHERE ${where}`, ...more })

const found = async (index: string, where: string) =>
  (await run('sk', index, where)).Items!.map(({ sk }) => sk!.S).sort()

it.each([
  ['byTeam', `team = 'g' AND extra = 'l1'`],
  ['byTeam', `team = 'g' AND NOT extra = 'l1'`],
  ['byTeam', `team = 'g' AND extra IS MISSING`],
  ['byTeam', `team = 'g' AND extra IS NOT MISSING`],
  ['byTeam', `team = 'g' AND begins_with(extra, 'l')`],
  ['byTeam', `team IN ['g', 'h'] AND extra = 'l1'`],
  ['byRank', `pk = 'p' AND extra = 'l1'`],
  ['byRank', `pk = 'p' AND rank BETWEEN 'a' AND 'b' AND extra = 'l1'`],
])('a read of %s by key rejects a filter on unprojected attributes: %s', async (index, where) => {
  await expect(run('sk', index, where)).rejects.toThrow(
    `One or more parameter values were invalid: Secondary index ${index} does not project ` +
      'one or more filter attributes: [extra]',
  )
})

it.each([
  [`b = '1' AND (a = '2' OR kept = '3')`, 'a, b'],
  [`(zz = '1' OR aa = '2' OR mm = '3')`, 'zz, aa, mm'],
])('unprojected attributes are listed in the order of a Java hash table: %s', async (filter, listed) => {
  await expect(run('sk', 'byTeam', `team = 'g' AND ${filter}`)).rejects.toThrow(
    `does not project one or more filter attributes: [${listed}]`,
  )
})

it.each([
  [`(team = 'g' OR team = 'h') AND extra = 'l1'`, 'extra'],
  [`(team = 'g' AND one = '1') OR (team = 'h' AND two = '2')`, 'two'],
  [`(team = 'h' AND one = '1') OR (team = 'g' AND two = '2')`, 'one'],
])('if no branch is projected, the error names the branch of the last partition: %s', async (where, missing) => {
  await expect(run('sk', 'byTeam', where)).rejects.toThrow(
    `does not project one or more filter attributes: [${missing}]`,
  )
})

it.each([
  ['byTeam', `extra = 'l1'`, []],
  ['byRank', `extra = 'l1'`, []],
  ['byTeam', `extra = 'l1' AND extra = 'l2'`, []],
  ['byTeam', `NOT extra = 'l1'`, ['1', '2', '4']],
  ['byTeam', `(team = 'g' AND extra = 'l1') OR (team = 'h')`, ['4']],
  ['byTeam', `(team = 'g' AND kept = 'k1') OR (team = 'h' AND extra = 'l4')`, ['1']],
  ['byTeam', `team > 'a' AND extra = 'l1'`, []],
  ['byTeam', `team = 'g' AND (team = 'h' OR extra = 'l1')`, []],
  ['byTeam', `(team = 'g' AND extra = 'l1') OR kept = 'k2'`, ['2']],
])(
  'a read of %s without a key condition treats unprojected attributes as missing: %s',
  async (index, where, expected) => {
    expect(await found(index, where)).toEqual(expected)
  },
)

it('reads that complete a local index are charged by scanned items, doubled for strong consistency', async () => {
  const cost = async (where: string, more = {}) => {
    const { ConsumedCapacity } = await run('extra', 'byRank', where, { ReturnConsumedCapacity: 'INDEXES', ...more })
    return [ConsumedCapacity?.Table, ConsumedCapacity?.LocalSecondaryIndexes?.byRank].map(part => part?.CapacityUnits)
  }
  expect(await cost(`pk = 'p'`)).toEqual([1, 0.5])
  expect(await cost(`pk = 'p' AND kept = 'none'`)).toEqual([1, 0.5])
  expect(await cost(`pk = 'p'`, { Limit: 1 })).toEqual([0.5, 0.5])
  expect(await cost(`pk = 'p'`, { ConsistentRead: true })).toEqual([2, 1])
})

it('the token of one index is rejected for another', async () => {
  const { NextToken } = await run('sk', 'byTeam', `team = 'g'`, { Limit: 1 })
  await expect(run('sk', 'keysByTeam', `team = 'g'`, { NextToken })).rejects.toThrow('NextToken does not match request')
})

it('a batch reports an index with multi-attribute keys before it reports that it is an index', async () => {
  const Statements = [
    `SELECT * FROM ${TableName}.byTeam WHERE team = 'g'`,
    `SELECT * FROM ${TableName}.several WHERE team = 'g' AND other = 'o'`,
    `SELECT sk FROM ${TableName} WHERE pk = 'p' AND sk = '1'`,
  ].map(Statement => ({ Statement }))
  const { Responses } = await store.batchExecuteStatement({ Statements })
  expect(Responses!.map(({ Error: error, Item }) => error?.Message ?? Item)).toEqual([
    'Select statements within BatchExecuteStatement must specify the primary key in the where clause.',
    'PartiQL statements cannot be executed on tables with multi-attribute HASH keys or multi-attribute RANGE keys.',
    row({ sk: '1' }),
  ])
})
