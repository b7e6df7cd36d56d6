import { beforeAll, describe, expect, it } from 'vitest'
import { memory } from '../../../src/engine/index.js'
import { defined, key } from '../tables.js'

const store = memory()
const TOO_MANY = 'Too many decomposed read operations for a given query.'
const OVERLAP = 'Overlapping conditions with range keys are not supported in where clause'

beforeAll(async () => {
  await store.createTable({
    TableName: 'ranges',
    AttributeDefinitions: defined('pk', 'sk'),
    KeySchema: key('pk', 'sk'),
    BillingMode: 'PAY_PER_REQUEST',
  })
  await store.putItem({ TableName: 'ranges', Item: { pk: { S: 'v0' }, sk: { S: '1' }, flag: { S: 'v0' } } })
})

const select = (where: string) => ({ Statement: `SELECT sk FROM ranges WHERE ${where}` })
const among = (name: string, count: number) =>
  `${name} IN [${Array.from({ length: count }, (_, i) => `'v${i}'`).join(', ')}]`

describe('limits on key ranges', () => {
  it.each([among('pk', 51), `pk = 'v0' AND ${among('sk', 51)}`, `${among('pk', 26)} AND sk IN ['1', '2']`])(
    'a statement with more than fifty key ranges is rejected: %s',
    async where => {
      const refusal = { name: 'ValidationException', message: TOO_MANY }
      await expect(store.executeStatement(select(where))).rejects.toMatchObject(refusal)
    },
  )

  it.each([
    among('pk', 50),
    `${among('pk', 25)} AND sk IN ['1', '2']`,
    `${among('pk', 50)} AND ${among('flag', 100)}`,
    `${among('pk', 51)} OR flag = 'v0'`,
  ])('filters and clauses without a key condition do not count as ranges: %s', async where => {
    expect((await store.executeStatement(select(where))).Items).toEqual([{ sk: { S: '1' } }])
  })
})

describe.each([
  ['too many ranges', `${among('pk', 51)} AND sk = '1'`, TOO_MANY],
  ['overlapping ranges', `pk IN ['v0', 'v0'] AND sk = '1'`, OVERLAP],
])('the order of range errors: %s', (_, where, message) => {
  it('a batch reports range errors before statements that name several items', async () => {
    const { Responses } = await store.batchExecuteStatement({ Statements: [select(where)] })
    expect(Responses!.map(({ Error: error }) => error?.Message)).toEqual([message])
  })

  it('a transaction reports range errors before statements that name several items', async () => {
    await expect(store.executeTransaction({ TransactStatements: [select(where)] })).rejects.toThrow(
      `Validation failed in TransactStatements[0]: ${message}`,
    )
  })
})
