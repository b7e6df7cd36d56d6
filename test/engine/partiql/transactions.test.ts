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
  'a write without its key is rejected with the error of the resulting write: %s',
  async statement => {
    const mismatch = ['ValidationError', 'The provided key element does not match the schema']
    expect(await reasons(statement, SOUND)).toEqual([mismatch, ['None', undefined]])
  },
)

describe('EXISTS conditions', () => {
  it('EXISTS requires one item that equalities identify', async () => {
    for (const where of [`pk IN ['a'] AND sk = '1' AND flag = 'x'`, `pk = 'a' AND flag = 'x'`])
      await expect(transact(exists(where), SOUND)).rejects.toThrow(
        'Validation failed in TransactStatements[0]: EXISTS() must contain a single item read with additional condition',
      )
  })

  it('EXISTS with two items uses the first, whose condition fails for the second', async () => {
    expect(await reasons(exists(`pk = 'a' AND sk = '1' AND pk = 'c' AND flag = 'x'`), SOUND)).toEqual([
      ['ConditionalCheckFailed', 'The conditional request failed'],
      ['None', undefined],
    ])
  })
})

describe('statements on missing tables', () => {
  const NOT_FOUND = ['ResourceNotFound', 'Requested resource not found']
  const ONE = `WHERE pk = 'a' AND sk = '1'`

  it('a missing table is reported before an unsupported RETURNING clause', async () => {
    const update = `UPDATE gone SET n = 1 ${ONE} RETURNING ALL NEW *`
    expect(await reasons(update, `DELETE FROM gone ${ONE}`)).toEqual([NOT_FOUND, NOT_FOUND])
  })

  it('a missing table is reported before an unsupported index read', async () => {
    const reads = [`SELECT * FROM things ${ONE}`, `SELECT * FROM gone.byFlag ${ONE}`]
    expect(await reasons(...reads)).toEqual([['None', undefined], NOT_FOUND])
  })

  it.each([
    [`UPDATE things SET n = 1 ${ONE} RETURNING ALL NEW *`, 'RETURNING clause is not supported in ExecuteTransaction.'],
    [`SELECT * FROM things.byFlag ${ONE}`, 'Reads on indices are not supported within transactions.'],
  ])('a missing table is reported after errors of other statements: %s', async (statement, message) => {
    const first = statement.startsWith('SELECT') ? `SELECT * FROM gone ${ONE}` : `DELETE FROM gone ${ONE}`
    await expect(transact(first, statement)).rejects.toThrow(`Validation failed in TransactStatements[1]: ${message}`)
  })
})
