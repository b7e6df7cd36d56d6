import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { memory } from '../../../src/engine/index.js'

const store = memory()

beforeAll(async () => {
  await store.createTable({
    TableName: 'tab',
    AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
    KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
    BillingMode: 'PAY_PER_REQUEST',
  })
  await store.createTable({
    TableName: 'two',
    AttributeDefinitions: ['pk', 'sk'].map(AttributeName => ({ AttributeName, AttributeType: 'S' })),
    KeySchema: [
      { AttributeName: 'pk', KeyType: 'HASH' },
      { AttributeName: 'sk', KeyType: 'RANGE' },
    ],
    BillingMode: 'PAY_PER_REQUEST',
  })
})

/** Returns a list of this many different strings. */
const times = (count: number) => Array.from({ length: count }, (_, i) => `'${i}'`).join(',')

const KNOWN = new Set([
  'ValidationException',
  'ResourceNotFoundException',
  'ConditionalCheckFailedException',
  'DuplicateItemException',
])

async function outcome(Statement: string): Promise<string> {
  try {
    await store.executeStatement({ Statement, Parameters: [{ S: 'a' }, { N: '1' }] })
    return 'answered'
  } catch (error) {
    if (!KNOWN.has((error as Error).name)) throw error
    return (error as Error).message
  }
}

const pieces = fc.constantFrom(
  ...['SELECT', 'FROM', 'WHERE', 'INSERT', 'INTO', 'VALUE', 'UPDATE', 'SET', 'REMOVE', 'DELETE', 'RETURNING', 'ALL'],
  ...['OLD', 'NEW', 'MODIFIED', 'AND', 'OR', 'NOT', 'IN', 'IS', 'BETWEEN', 'LIKE', 'NULL', 'MISSING', 'TRUE', 'ORDER'],
  ...['BY', 'DESC', 'EXISTS', 'AS', 'AT', 'tab', 'pk', 'a', 'b', '"tab"', '"a b"', "'x'", "'it''s'", '1', '-2', '.5'],
  ...['1e3', '?', '=', '<>', '<', '<=', '>', '>=', '+', '-', '*', '/', '||', '(', ')', '[', ']', '{', '}', '<<', '>>'],
  ...[',', ':', ';', '.', '@', '`x`', '--c\n', '/*c*/', 'size', 'contains', 'set_add', 'list_append', 'attribute_type'],
  ...['STRING', 'DOUBLE', 'PRECISION', 'GROUP', 'LIMIT', 'JOIN', 'ON', 'DISTINCT', 'begins_with', 'if_not_exists'],
)

describe('robustness of PartiQL statements', () => {
  it('any sequence of tokens is answered or rejected by the service', async () => {
    const statement = fc.array(pieces, { minLength: 1, maxLength: 25 }).map(tokens => tokens.join(' '))
    await fc.assert(
      fc.asyncProperty(statement, async text => void (await outcome(text))),
      { numRuns: 3000 },
    )
  })

  it('any sequence of tokens after a valid beginning is answered or rejected by the service', async () => {
    const beginnings = fc.constantFrom(
      'SELECT * FROM tab WHERE',
      "UPDATE tab SET a = 1 WHERE pk = 'x' AND",
      'UPDATE tab SET a =',
      "INSERT INTO tab VALUE {'pk': 'x', 'a':",
      "DELETE FROM tab WHERE pk = 'x'",
      'SELECT',
    )
    const statement = fc
      .tuple(beginnings, fc.array(pieces, { maxLength: 10 }))
      .map(([beginning, tokens]) => [beginning, ...tokens].join(' '))
    await fc.assert(
      fc.asyncProperty(statement, async text => void (await outcome(text))),
      { numRuns: 3000 },
    )
  })

  it('any text is answered or rejected by the service', async () => {
    const text = fc.string({ unit: 'binary', minLength: 1, maxLength: 60 })
    await fc.assert(
      fc.asyncProperty(text, async statement => void (await outcome(statement))),
      { numRuns: 2000 },
    )
  })

  it.each([
    ['parentheses', `SELECT * FROM tab WHERE ${'('.repeat(8000)}`],
    ['closed parentheses', `SELECT * FROM tab WHERE ${'('.repeat(3900)}a = 1${')'.repeat(3900)}`],
    ['brackets', `SELECT * FROM tab WHERE a = ${'['.repeat(4000)}${']'.repeat(4000)}`],
    ['structs', `INSERT INTO tab VALUE ${"{'a':".repeat(1500)}1${'}'.repeat(500)}`],
    ['negations', `SELECT * FROM tab WHERE ${'NOT '.repeat(2000)}a = 1`],
    ['signs', `SELECT * FROM tab WHERE a = ${'+ '.repeat(4000)}1`],
    ['conditions', `SELECT * FROM tab WHERE a = 1${' AND a = 1'.repeat(800)}`],
    ['alternatives', `SELECT * FROM tab WHERE ${Array(80).fill("(pk = 'a' OR pk = 'b')").join(' AND ')}`],
    ['keys', `SELECT * FROM two WHERE pk IN [${times(100)}] AND sk IN [${times(100)}]`],
    ['sums', `UPDATE tab SET a = 1${' + 1'.repeat(1900)} WHERE pk = 'a'`],
    ['steps', `SELECT a${'.a'.repeat(3900)} FROM tab`],
    ['selects', `${'SELECT * FROM tab WHERE a IN ('.repeat(250)}`],
    ['blanks', ' '.repeat(8190)],
    ['an open comment', `SELECT * FROM tab /*${'*'.repeat(8000)}`],
  ])('a statement with many %s is answered or rejected within two seconds', async (_, statement) => {
    const began = performance.now()
    await outcome(statement)
    expect(performance.now() - began).toBeLessThan(2000)
  })
})
