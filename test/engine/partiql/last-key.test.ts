import { beforeAll, describe, expect, it } from 'vitest'
import type { ExecuteStatementInput } from '../../../src/dynamodb/operation-types.js'
import { memory } from '../../../src/engine/index.js'
import { defined, index, key } from '../tables.js'

const store = memory()
const TableName = 'pages'
const at = (members: Record<string, string>) =>
  Object.fromEntries(Object.entries(members).map(([name, S]) => [name, { S }]))

beforeAll(async () => {
  await store.createTable({
    TableName,
    AttributeDefinitions: defined('pk', 'sk', 'gp', 'gs'),
    KeySchema: key('pk', 'sk'),
    BillingMode: 'PAY_PER_REQUEST',
    GlobalSecondaryIndexes: [index('byGroup', key('gp', 'gs'))],
  })
  for (const pk of ['A', 'B'])
    for (const sk of ['1', '2', '3'])
      await store.putItem({ TableName, Item: at({ pk, sk, gp: 'shared', gs: `${sk}-${pk}`, word: `${pk}-${sk}` }) })
  await store.createTable({
    TableName: 'flat',
    AttributeDefinitions: defined('pk'),
    KeySchema: key('pk'),
    BillingMode: 'PAY_PER_REQUEST',
  })
  await store.putItem({ TableName: 'flat', Item: at({ pk: 'A' }) })
})

/** Returns for each page the number of items, the last key and whether another page follows. */
async function pages(rest: string, more: Partial<ExecuteStatementInput>) {
  const found = []
  let NextToken: string | undefined
  do {
    const page = await store.executeStatement({
      Statement: `SELECT word FROM ${rest}`,
      ...more,
      ...(NextToken && { NextToken }),
    })
    NextToken = page.NextToken
    found.push([page.Items!.length, page.LastEvaluatedKey, NextToken !== undefined])
  } while (NextToken !== undefined)
  return found
}

describe('last keys of SELECT pages', () => {
  it('the last key is the table key, regardless of the projection', async () => {
    expect(await pages(`pages WHERE pk = 'A'`, { Limit: 2 })).toEqual([
      [2, at({ pk: 'A', sk: '2' }), true],
      [1, undefined, false],
    ])
  })

  it('an empty page has a last key', async () => {
    expect(await pages(`pages WHERE pk = 'A' AND word = 'none' ORDER BY sk DESC`, { Limit: 2 })).toEqual([
      [0, at({ pk: 'A', sk: '2' }), true],
      [0, undefined, false],
    ])
  })

  it('the last key of an index read has the keys of the table and the index', async () => {
    expect(await pages(`pages.byGroup WHERE gp = 'shared'`, { Limit: 4 })).toEqual([
      [4, at({ pk: 'B', sk: '2', gp: 'shared', gs: '2-B' }), true],
      [2, undefined, false],
    ])
  })

  it('a page that ends between values of a list has no last key', async () => {
    const list = Array.from({ length: 11 }, (_, i) => `'${i}'`).join(', ')
    expect(await pages(`pages WHERE pk = 'A' AND sk IN [${list}]`, {})).toEqual([
      [3, undefined, true],
      [0, undefined, false],
    ])
  })

  it('a page of a single item has no next page', async () => {
    expect(await pages(`pages WHERE pk = 'A' AND sk = '1'`, { Limit: 1 })).toEqual([
      [1, at({ pk: 'A', sk: '1' }), false],
    ])
    expect(await pages(`pages WHERE pk IN ['B'] AND sk = '1'`, { Limit: 1 })).toEqual([
      [1, at({ pk: 'B', sk: '1' }), false],
    ])
    expect(await pages(`flat WHERE pk = 'A'`, { Limit: 1 })).toEqual([[1, at({ pk: 'A' }), false]])
    expect(await pages(`pages WHERE pk = 'A' AND sk = '1'`, {})).toEqual([[1, undefined, false]])
  })

  it('a page of a single index key can have a next page, because several entries may share it', async () => {
    expect(await pages(`pages.byGroup WHERE gp = 'shared' AND gs = '1-A'`, { Limit: 1 })).toEqual([
      [1, at({ pk: 'A', sk: '1', gp: 'shared', gs: '1-A' }), true],
      [0, undefined, false],
    ])
  })
})
