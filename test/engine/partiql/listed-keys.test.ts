import { beforeAll, expect, it } from 'vitest'
import { memory } from '../../../src/engine/index.js'
import { defined, key } from '../tables.js'

/** https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ql-operators.html, of IN. */
const KEYS_MAX = 50
const KEYS_A_PAGE = 10

const store = memory()
const numbers = (count: number) => Array.from({ length: count }, (_, i) => String(i).padStart(2, '0'))
const list = (count: number, from = 0) =>
  numbers(count)
    .slice(from)
    .map(each => `'${each}'`)
    .join(', ')

beforeAll(async () => {
  const table = { BillingMode: 'PAY_PER_REQUEST' } as const
  await store.createTable({
    ...table,
    TableName: 'one',
    AttributeDefinitions: defined('pk'),
    KeySchema: key('pk'),
  })
  await store.createTable({
    ...table,
    TableName: 'two',
    AttributeDefinitions: defined('pk', 'sk'),
    KeySchema: key('pk', 'sk'),
  })
  for (const S of numbers(KEYS_MAX)) {
    await store.putItem({ TableName: 'one', Item: { pk: { S } } })
    await store.putItem({ TableName: 'two', Item: { pk: { S: 'a' }, sk: { S } } })
    for (const sk of ['x', 'y']) await store.putItem({ TableName: 'two', Item: { pk: { S }, sk: { S: sk } } })
  }
})

const ask = (rest: string, more = {}) =>
  store.executeStatement({ Statement: `SELECT * FROM ${rest}`, ReturnConsumedCapacity: 'TOTAL', ...more })

/** Returns the number of items and the units of each page. */
async function pages(rest: string, more = {}): Promise<[items: number, units: number][]> {
  const read: [number, number][] = []
  for (let NextToken: string | undefined; ; ) {
    const page = await ask(rest, NextToken === undefined ? more : { ...more, NextToken })
    read.push([page.Items!.length, page.ConsumedCapacity!.CapacityUnits!])
    if (page.NextToken === undefined) return read
    NextToken = page.NextToken
  }
}

async function found(rest: string): Promise<string[]> {
  const all: string[] = []
  for (let NextToken: string | undefined; ; ) {
    const page = await ask(rest, NextToken === undefined ? {} : { NextToken })
    all.push(...page.Items!.map(({ pk, sk }) => `${pk!.S}${sk?.S ?? ''}`))
    if (page.NextToken === undefined) return all
    NextToken = page.NextToken
  }
}

it('a page reads ten values of a list, and no page follows the last value', async () => {
  expect(await pages(`one WHERE pk IN [${list(KEYS_A_PAGE)}]`)).toEqual([[10, 5]])
  expect(await pages(`one WHERE pk IN [${list(KEYS_A_PAGE + 1)}]`)).toEqual([
    [10, 5],
    [1, 0.5],
  ])
  expect(await pages(`one WHERE pk IN [${list(KEYS_MAX)}]`)).toEqual(Array(5).fill([10, 5]))
})

it('values without an item count toward the ten of a page', async () => {
  expect(await pages(`one WHERE pk IN ['none', ${list(KEYS_A_PAGE)}]`)).toEqual([
    [9, 5],
    [1, 0.5],
  ])
  expect(await pages(`one WHERE pk IN [${list(70, KEYS_MAX)}]`)).toEqual([
    [0, 5],
    [0, 5],
  ])
})

it('lists of sort keys and of both keys are read in pages of ten', async () => {
  expect(await pages(`two WHERE pk = 'a' AND sk IN [${list(12)}]`)).toEqual([
    [10, 5],
    [2, 1],
  ])
  expect(await pages(`two WHERE pk IN [${list(6)}] AND sk IN ['x', 'y']`)).toEqual([
    [10, 5],
    [2, 1],
  ])
})

it('a page contains ten complete partitions unless a limit ends it', async () => {
  expect(await pages(`two WHERE pk IN [${list(11)}]`)).toEqual([
    [20, 5],
    [2, 0.5],
  ])
  expect((await pages(`one WHERE pk IN [${list(12)}]`, { Limit: 4 })).map(([items]) => items)).toEqual([4, 4, 4, 0])
})

it('every item of a list is found once in the requested order', async () => {
  expect(await found(`one WHERE pk IN [${list(KEYS_MAX)}]`)).toEqual(numbers(KEYS_MAX))
  const backwards = numbers(12)
    .reverse()
    .flatMap(each => [`${each}y`, `${each}x`])
  expect(await found(`two WHERE pk IN [${list(12)}] ORDER BY pk DESC, sk DESC`)).toEqual(backwards)
})

it('alternatives with OR are read in one page', async () => {
  const written = numbers(12).map(each => `pk = '${each}'`)
  expect(await pages(`one WHERE ${written.join(' OR ')}`)).toEqual([[12, 6]])
})

it('lists that only filter are not limited to ten values per page', async () => {
  expect(await found(`one WHERE pk = '01' AND pk IN [${list(100)}]`)).toEqual(['01'])
  expect((await found(`one WHERE pk IN [${list(KEYS_MAX + 1)}] OR other = 1`)).sort()).toEqual(numbers(KEYS_MAX))
  expect(await pages(`two WHERE pk = 'a' AND other IN [${list(100)}]`)).toEqual([[0, 0.5]])
})
