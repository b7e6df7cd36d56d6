import { beforeAll, describe, expect, it } from 'vitest'
import { memory } from '../../../src/engine/index.js'
import { defined, key } from '../tables.js'

const store = memory()

beforeAll(async () => {
  await store.createTable({
    TableName: 'things',
    AttributeDefinitions: defined('pk', 'sk'),
    KeySchema: key('pk', 'sk'),
    BillingMode: 'PAY_PER_REQUEST',
  })
  for (const pk of ['a', 'b'])
    await store.putItem({ TableName: 'things', Item: { pk: { S: pk }, sk: { S: '1' }, flag: { S: 'x' } } })
})

const transact = (...statements: string[]) =>
  store.executeTransaction({ TransactStatements: statements.map(Statement => ({ Statement })) })

const reasons = async (...statements: string[]) => {
  const error = await transact(...statements).catch(error => error)
  return error.CancellationReasons.map(({ Code, Message }: { Code: string; Message?: string }) => [Code, Message])
}

const update = (where: string) => `UPDATE things SET n = 1 WHERE ${where}`
const exists = (where: string) => `EXISTS(SELECT * FROM things WHERE ${where})`
const SOUND = update(`pk = 'b' AND sk = '1'`)

it.each([update(`pk = 'a'`), update(`pk IN ['a'] AND sk = '1'`), `DELETE FROM things WHERE sk = '1'`])(
  'a write that does not name its key is refused as the write that is made of it: %s',
  async statement => {
    const mismatch = ['ValidationError', 'The provided key element does not match the schema']
    expect(await reasons(statement, SOUND)).toEqual([mismatch, ['None', undefined]])
  },
)

describe('EXISTS', () => {
  it('is of one item, which equalities name', async () => {
    for (const where of [`pk IN ['a'] AND sk = '1' AND flag = 'x'`, `pk = 'a' AND flag = 'x'`])
      await expect(transact(exists(where), SOUND)).rejects.toThrow(
        'Validation failed in TransactStatements[0]: EXISTS() must contain a single item read with additional condition',
      )
  })

  it('is of the first of two items, which cannot be the second too', async () => {
    expect(await reasons(exists(`pk = 'a' AND sk = '1' AND pk = 'c' AND flag = 'x'`), SOUND)).toEqual([
      ['ConditionalCheckFailed', 'The conditional request failed'],
      ['None', undefined],
    ])
  })
})

describe('a table that is not there', () => {
  const NOT_FOUND = ['ResourceNotFound', 'Requested resource not found']
  const ONE = `WHERE pk = 'a' AND sk = '1'`

  it('is told of before that nothing can be returned', async () => {
    const update = `UPDATE gone SET n = 1 ${ONE} RETURNING ALL NEW *`
    expect(await reasons(update, `DELETE FROM gone ${ONE}`)).toEqual([NOT_FOUND, NOT_FOUND])
  })

  it('is told of before that no index can be read', async () => {
    const reads = [`SELECT * FROM things ${ONE}`, `SELECT * FROM gone.byFlag ${ONE}`]
    expect(await reasons(...reads)).toEqual([['None', undefined], NOT_FOUND])
  })

  it.each([
    [`UPDATE things SET n = 1 ${ONE} RETURNING ALL NEW *`, 'RETURNING clause is not supported in ExecuteTransaction.'],
    [`SELECT * FROM things.byFlag ${ONE}`, 'Reads on indices are not supported within transactions.'],
  ])('is told of after what other statements cannot: %s', async (statement, message) => {
    const first = statement.startsWith('SELECT') ? `SELECT * FROM gone ${ONE}` : `DELETE FROM gone ${ONE}`
    await expect(transact(first, statement)).rejects.toThrow(`Validation failed in TransactStatements[1]: ${message}`)
  })
})
