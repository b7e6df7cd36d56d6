import { beforeAll, describe, expect, it } from 'vitest'
import { memory } from '../../../src/engine/index.js'
import { defined, key } from '../tables.js'

const store = memory()
const TableName = 'measured'
const BYTES = { '-2': 1000, '2': 4200, '10': 8100, '20': 12_500 }
const UNORDERED = 'Must have at least one non-optional hash key condition in WHERE clause when using ORDER BY clause.'

/** The units of reading all items at once. */
const EVERYTHING = 13

beforeAll(async () => {
  await store.createTable({
    TableName,
    AttributeDefinitions: [...defined('pk'), { AttributeName: 'sk', AttributeType: 'N' }],
    KeySchema: key('pk', 'sk'),
    BillingMode: 'PAY_PER_REQUEST',
  })
  for (const pk of ['a', 'b'])
    for (const [sk, bytes] of Object.entries(BYTES))
      await store.putItem({
        TableName,
        Item: { pk: { S: pk }, sk: { N: sk }, payload: { S: 'x'.repeat(bytes) }, flag: { BOOL: bytes < 5000 } },
      })
})

async function run(where: string, order = '') {
  const { Items, ConsumedCapacity } = await store.executeStatement({
    Statement: `SELECT pk, sk FROM ${TableName} WHERE ${where} ${order}`,
    ConsistentRead: true,
    ReturnConsumedCapacity: 'TOTAL',
  })
  return { found: Items!.map(({ pk, sk }) => pk!.S! + sk!.N!), units: ConsumedCapacity!.CapacityUnits }
}

describe.each([
  [`pk = 'a' AND sk > -2 AND sk < 20`, ['a2', 'a10']],
  [`pk = 'a' AND sk >= 2 AND sk <= 10`, ['a2', 'a10']],
  [`pk = 'a' AND sk > 2 AND sk > 10`, ['a20']],
  [`pk = 'a' AND sk BETWEEN -2 AND 20 AND sk < 10`, ['a-2', 'a2']],
  [`pk = 'a' AND sk > 20 AND sk < 2`, []],
  [`pk = 'a' AND sk = 2 AND sk = 10`, []],
  [`pk = 'a' AND sk = 2 AND sk >= 2`, ['a2']],
  [`pk = 'a' AND sk IN [-2, 2, 10, 20] AND sk > 2`, ['a10', 'a20']],
  [`pk = 'a' AND sk IN [2, 10] AND sk IN [2, 10]`, ['a2', 'a10']],
  [`pk = 'a' AND NOT sk = 2`, ['a-2', 'a10', 'a20']],
  [`pk = 'a' AND sk <> 2`, ['a-2', 'a10', 'a20']],
  [`pk = 'a' AND sk = 2 AND size(sk) > 9`, []],
  [`pk = 'a' AND pk = 'b'`, []],
  [`pk = 'a' AND begins_with(pk, 'a') AND sk = 2`, ['a2']],
  [`pk IN ['a', 'b'] AND pk = 'a' AND sk = 2`, ['a2']],
  [`pk IN ['a', 'b'] AND pk IN ['a', 'b'] AND sk = 2`, ['a2', 'b2']],
  [`pk = 'a' AND sk = 2 OR pk = 'b' AND sk > 2 AND sk > 10`, ['a2', 'b20']],
])('a clause with two conditions on a key: %s', (where, expected) => {
  it('a clause with two conditions on a key scans the table and consumes its units', async () => {
    const { found, units } = await run(where)
    expect(found.sort()).toEqual([...expected].sort())
    expect(units).toBe(EVERYTHING)
  })

  it('a clause with two conditions on a key cannot be ordered', async () => {
    await expect(run(where, 'ORDER BY pk, sk')).rejects.toMatchObject({
      name: 'ValidationException',
      message: UNORDERED,
    })
  })
})

it.each([
  [`pk = 'a' AND pk = 'a'`, ['a-2', 'a2', 'a10', 'a20'], 7],
  [`pk IN ['a'] AND pk = 'a'`, ['a-2', 'a2', 'a10', 'a20'], 7],
  [`pk = 'a' AND sk = 2 AND sk = 2.0`, ['a2'], 2],
  [`pk = 'a' AND sk IN [2] AND sk = 2`, ['a2'], 2],
  [`pk = 'a' AND sk > 2 AND sk > 2.0`, ['a10', 'a20'], 6],
  [`pk = 'a' AND (sk < 3 OR sk >= 10)`, ['a-2', 'a2', 'a10', 'a20'], 8],
  [`(pk = 'a' AND sk = 2 AND flag = true) OR (pk = 'b' AND sk = 10 AND flag = false)`, ['a2', 'b10'], 4],
])('repeated equal conditions count once: %s', async (where, found, units) => {
  expect(await run(where)).toEqual({ found, units })
  expect((await run(where, 'ORDER BY pk, sk')).found).toEqual(found)
})
