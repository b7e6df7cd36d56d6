import { beforeAll, expect, it } from 'vitest'
import { memory } from '../../../src/engine/index.js'
import { defined, key } from '../tables.js'

/** https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ql-operators.html, of IN. */
const KEYS_MAX = 50
const TOO_MANY = 'Too many decomposed read operations for a given query.'

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

const ask = (rest: string, more = {}) => store.executeStatement({ Statement: `SELECT * FROM ${rest}`, ...more })

async function found(rest: string): Promise<string[]> {
  const all: string[] = []
  for (let NextToken: string | undefined; ; ) {
    const page = await ask(rest, NextToken === undefined ? {} : { NextToken })
    all.push(...page.Items!.map(({ pk, sk }) => `${pk!.S}${sk?.S ?? ''}`))
    if (page.NextToken === undefined) return all
    NextToken = page.NextToken
  }
}

it.each([
  ['partitions', `one WHERE pk IN [${list(KEYS_MAX + 1)}]`],
  ['sort keys', `two WHERE pk = 'a' AND sk IN [${list(KEYS_MAX + 1)}]`],
  ['keys of two lists', `two WHERE pk IN [${list(26)}] AND sk IN ['x', 'y']`],
])('more than 50 reads are refused: %s', async (_, rest) => {
  await expect(ask(rest)).rejects.toMatchObject({ name: 'ValidationException', message: TOO_MANY })
})

it('what is only tested, or read as a whole, has no such bound', async () => {
  expect(await found(`one WHERE pk IN [${list(KEYS_MAX)}]`)).toEqual(numbers(KEYS_MAX))
  expect(await found(`one WHERE pk = '01' AND pk IN [${list(100)}]`)).toEqual(['01'])
  expect((await found(`one WHERE pk IN [${list(KEYS_MAX + 1)}] OR other = 1`)).sort()).toEqual(numbers(KEYS_MAX))
  expect(await found(`two WHERE pk = 'a' AND other IN [${list(100)}]`)).toEqual([])
})
