import { BATCH_STATEMENTS, PARTITION_KEY_BYTES } from '../../../dynamodb/limits.js'
import type { BatchStatementRequest, ParameterizedStatement } from '../../../dynamodb/operations/statements.js'
import { cases, covering } from '../case.js'
import { invalid, same } from '../expect.js'
import { times } from './measures.js'
import { number, text } from './reading.js'
import { NOT_WELL_FORMED, Stating } from './stating.js'

type Given = string | (Partial<BatchStatementRequest> & { Statement: string })

const statements = (stating: Stating, given: readonly Given[]): ParameterizedStatement[] =>
  given.map(one =>
    typeof one === 'string'
      ? { Statement: stating.statement(one) }
      : { ...one, Statement: stating.statement(one.Statement) },
  )

async function batch(stating: Stating, ...given: Given[]) {
  return (await stating.service.batchExecuteStatement({ Statements: statements(stating, given) })).Responses
}

export async function transact(stating: Stating, given: readonly Given[], more = {}) {
  const { $metadata: _, ...answer } = (await stating.service.executeTransaction({
    TransactStatements: statements(stating, given),
    ...more,
  })) as { $metadata?: unknown; Responses?: unknown }
  return answer
}

const failed = (Code: string, Message: string) => ({ Error: { Code, Message } })
const INVALID = 'One or more parameter values were invalid: '

/** Several statements in one request, each for itself. */
export const partiqlBatchCases = cases('batchExecuteStatement', {
  'a batch of reads answers each item, or nothing': async bench => {
    const stating = await Stating.of(bench, 'compositeN', { sk: number(1), a: text('x') })
    const { TableName } = stating
    same(
      await batch(stating, 'SELECT * FROM TABLE WHERE pk = PK AND sk = 1', {
        Statement: 'SELECT a FROM TABLE WHERE sk = ? AND pk = PK',
        Parameters: [number(2)],
      }),
      [{ TableName, Item: stating.items[0] }, { TableName }],
    )
  },

  'a batch of writes does each for itself': async bench => {
    const stating = await Stating.of(bench, 'compositeN', { sk: number(1) }, { sk: number(2) }, { sk: number(3) })
    const { TableName } = stating
    same(
      await batch(
        stating,
        'UPDATE TABLE SET a = 1 WHERE pk = PK AND sk = 1 RETURNING MODIFIED NEW *',
        `INSERT INTO TABLE VALUE {'pk': PK, 'sk': 2}`,
        'DELETE FROM TABLE WHERE pk = PK AND sk = 3',
        'UPDATE TABLE SET a = 1 WHERE pk = PK AND sk = 4',
        'UPDATE TABLE SET a = 1 WHERE pk = PK',
        'SLECT * FROM TABLE',
      ),
      [
        { TableName, Item: { a: number(1) } },
        { ...failed('DuplicateItem', 'Duplicate primary key exists in table'), TableName },
        { TableName },
        { ...failed('ConditionalCheckFailed', 'The conditional request failed'), TableName },
        failed('ValidationError', 'Where clause does not contain a mandatory equality on all key attributes'),
        failed('ValidationError', `${NOT_WELL_FORMED}Expected data manipulation`),
      ],
    )
    same([await stating.stored(number(1)), await stating.stored(number(3))], [{ a: number(1) }, undefined])
  },

  'a read in a batch is of one item, by its key alone': async bench => {
    const stating = await Stating.of(bench, 'composite', { sk: text('a') })
    const message = 'Select statements within BatchExecuteStatement must specify the primary key in the where clause.'
    for (const words of [
      'SELECT * FROM TABLE WHERE pk = PK',
      'SELECT * FROM TABLE',
      `SELECT * FROM TABLE WHERE pk = PK AND sk = 'a' AND n = 1`,
      `SELECT * FROM TABLE WHERE pk = PK AND sk >= 'a'`,
      `SELECT * FROM TABLE WHERE pk = PK AND sk IN ['a', 'b']`,
      `SELECT * FROM TABLE."inverted" WHERE pk = PK AND sk = 'a'`,
    ])
      same(await batch(stating, words), [failed('ValidationError', message)])
  },

  'one value alone in IN names a key, to a read': async bench => {
    const stating = await Stating.of(bench, 'compositeN', { sk: number(1) })
    const found = [{ TableName: stating.TableName, Item: stating.items[0] }]
    same(await batch(stating, 'SELECT * FROM TABLE WHERE pk IN [PK] AND sk = 1'), found)
    same(await batch(stating, 'SELECT * FROM TABLE WHERE pk = PK AND sk IN [1]'), found)
    same(await transact(stating, ['SELECT * FROM TABLE WHERE pk IN [PK] AND sk IN [1]']), {
      Responses: [{ Item: stating.items[0] }],
    })
    same(await batch(stating, 'DELETE FROM TABLE WHERE pk = PK AND sk IN [1]'), [
      failed('ValidationError', 'Where clause does not contain a mandatory equality on all key attributes'),
    ])
  },

  'a batch tells of a table that is not there': async bench => {
    const stating = await Stating.of(bench, 'compositeN', { sk: number(1) })
    const [, missing] = (await batch(
      stating,
      'SELECT * FROM TABLE WHERE pk = PK AND sk = 1',
      `SELECT * FROM "there-is-no-such-table" WHERE pk = 'a'`,
    ))!
    same(missing?.Error, { Code: 'ResourceNotFound', Message: 'Requested resource not found' })
  },

  'a condition that fails in a batch can answer the item': async bench => {
    const stating = await Stating.of(bench, 'compositeN', { sk: number(1), a: number(1) })
    const [answer] = (await batch(stating, {
      Statement: 'UPDATE TABLE SET b = 1 WHERE pk = PK AND sk = 1 AND a = 2',
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    }))!
    same(answer?.Error, {
      Code: 'ConditionalCheckFailed',
      Message: 'The conditional request failed',
      Item: stating.items[0],
    })
  },

  'a batch is of reads or of writes, and of no item twice': async bench => {
    const stating = await Stating.of(bench, 'compositeN')
    const select = 'SELECT * FROM TABLE WHERE pk = PK AND sk = 1'
    await invalid(
      batch(stating, select, 'DELETE FROM TABLE WHERE pk = PK AND sk = 2'),
      'Read and write requests together in the same batch is not supported.',
    )
    const twice = 'Provided list of item keys contains duplicates'
    await invalid(batch(stating, select, 'SELECT a FROM TABLE WHERE sk = 1 AND pk = PK'), twice)
    await invalid(
      batch(stating, `INSERT INTO TABLE VALUE {'pk': PK, 'sk': 1}`, 'DELETE FROM TABLE WHERE pk = PK AND sk = 1'),
      twice,
    )
  },

  'what is wrong with the members of a batch is told of its own first': async bench => {
    const request = { Statements: [{ Statement: '' }], ReturnConsumedCapacity: 'x' }
    await invalid(
      bench.service.batchExecuteStatement(request as never),
      "2 validation errors detected: Value 'x' at 'returnConsumedCapacity' failed to satisfy constraint: Member must " +
        "satisfy enum value set: [INDEXES, TOTAL, NONE]; Value '' at 'statements.1.member.statement' failed to satisfy " +
        'constraint: Member must have length greater than or equal to 1',
    )
  },

  'a batch has at most 25 statements': covering(['limit:BATCH_STATEMENTS'], async bench => {
    const stating = await Stating.of(bench, 'compositeN')
    const inserts = times(BATCH_STATEMENTS, i => `INSERT INTO TABLE VALUE {'pk': PK, 'sk': ${i}}`)
    same(
      (await batch(stating, ...inserts))!.every(({ Error: error }) => error === undefined),
      true,
    )
    same((await stating.select('SELECT sk FROM TABLE WHERE pk = PK')).length, BATCH_STATEMENTS)
    await invalid(
      batch(stating, ...times(BATCH_STATEMENTS + 1, i => `DELETE FROM TABLE WHERE pk = PK AND sk = ${i}`)),
      /at 'statements' failed to satisfy constraint: Member must have length less than or equal to 25$/,
    )
  }),

  'every statement of a batch is paid for by its own consistency': async bench => {
    const stating = await Stating.of(bench, 'compositeN', { sk: number(1) }, { sk: number(2) })
    const read = (sort: number, ConsistentRead: boolean) => ({
      Statement: stating.statement(`SELECT * FROM TABLE WHERE pk = PK AND sk = ${sort}`),
      ConsistentRead,
    })
    const { ConsumedCapacity } = await stating.service.batchExecuteStatement({
      Statements: [read(1, true), read(2, false)],
      ReturnConsumedCapacity: 'TOTAL',
    })
    same(ConsumedCapacity, [{ TableName: stating.TableName, CapacityUnits: 1.5 }])
  },

  'a key that none can have, and a change of one, are told with their table': async bench => {
    const stating = await Stating.of(bench, 'compositeN', { sk: number(1) })
    const { TableName } = stating
    const long = 'k'.repeat(PARTITION_KEY_BYTES + 1)
    const tooLong = `Size of hashkey has exceeded the maximum size limit of${PARTITION_KEY_BYTES} bytes`
    const change = 'Cannot update attribute sk. This attribute is part of the key'
    const refusals: [string, string][] = [
      [`SELECT * FROM TABLE WHERE pk = '${long}' AND sk = 1`, tooLong],
      [`INSERT INTO TABLE VALUE {'pk': '${long}', 'sk': 1}`, tooLong],
      [`DELETE FROM TABLE WHERE pk = '${long}' AND sk = 1`, tooLong],
      ['UPDATE TABLE SET sk = 2 WHERE pk = PK AND sk = 1', change],
    ]
    for (const [words, why] of refusals)
      same(await batch(stating, words), [{ ...failed('ValidationError', `${INVALID}${why}`), TableName }])
  },

  'a statement that fails counts for its table in all, where another was done': async bench => {
    const stating = await Stating.of(bench, 'compositeN', { sk: number(1) })
    const { TableName } = stating
    const insert = (sort: number) => `INSERT INTO TABLE VALUE {'pk': PK, 'sk': ${sort}}`
    const consumed = async (...given: string[]) =>
      (
        await stating.service.batchExecuteStatement({
          Statements: statements(stating, given),
          ReturnConsumedCapacity: 'INDEXES',
        })
      ).ConsumedCapacity
    same(await consumed(insert(1)), undefined)
    same(await consumed(insert(1), insert(2)), [{ TableName, CapacityUnits: 2, Table: { CapacityUnits: 1 } }])
    same(await consumed(insert(1), 'SLECT', insert(3), insert(4)), [
      { TableName, CapacityUnits: 3, Table: { CapacityUnits: 2 } },
    ])
  },
})
