import { BATCH_STATEMENTS, PARTITION_KEY_BYTES } from '../../../dynamodb/limits.js'
import type { BatchStatementRequest, ParameterizedStatement } from '../../../dynamodb/operation-types.js'
import { expectEqual, expectValidationError } from '../../assertions.js'
import { defineCases, withCoverage } from '../../contract-case.js'
import { createMany } from '../../fixtures/sized-items.js'
import { numericValue, stringValue } from '../../fixtures/test-partition.js'
import { MALFORMED_STATEMENT, PartiqlPartition } from './partiql-partition.js'

type StatementInput = string | (Partial<BatchStatementRequest> & { Statement: string })

const toStatements = (stating: PartiqlPartition, inputs: readonly StatementInput[]): ParameterizedStatement[] =>
  inputs.map(one =>
    typeof one === 'string'
      ? { Statement: stating.toStatement(one) }
      : { ...one, Statement: stating.toStatement(one.Statement) },
  )

async function executeBatch(stating: PartiqlPartition, ...inputs: StatementInput[]) {
  return (await stating.service.batchExecuteStatement({ Statements: toStatements(stating, inputs) })).Responses
}

export async function executeStatements(stating: PartiqlPartition, inputs: readonly StatementInput[], more = {}) {
  const { $metadata: _, ...answer } = (await stating.service.executeTransaction({
    TransactStatements: toStatements(stating, inputs),
    ...more,
  })) as { $metadata?: unknown; Responses?: unknown }
  return answer
}

const errorResponse = (Code: string, Message: string) => ({ Error: { Code, Message } })
const INVALID = 'One or more parameter values were invalid: '

/** Cases of batches of independent statements. */
export const partiqlBatchCases = defineCases('batchExecuteStatement', {
  'a batch of reads returns each item, or nothing for a missing one': async bench => {
    const stating = await PartiqlPartition.of(bench, 'compositeN', { sk: numericValue(1), a: stringValue('x') })
    const { TableName } = stating
    expectEqual(
      await executeBatch(stating, 'SELECT * FROM TABLE WHERE pk = PK AND sk = 1', {
        Statement: 'SELECT a FROM TABLE WHERE sk = ? AND pk = PK',
        Parameters: [numericValue(2)],
      }),
      [{ TableName, Item: stating.items[0] }, { TableName }],
    )
  },

  'each write of a batch succeeds or fails independently': async bench => {
    const stating = await PartiqlPartition.of(
      bench,
      'compositeN',
      { sk: numericValue(1) },
      { sk: numericValue(2) },
      { sk: numericValue(3) },
    )
    const { TableName } = stating
    expectEqual(
      await executeBatch(
        stating,
        'UPDATE TABLE SET a = 1 WHERE pk = PK AND sk = 1 RETURNING MODIFIED NEW *',
        `INSERT INTO TABLE VALUE {'pk': PK, 'sk': 2}`,
        'DELETE FROM TABLE WHERE pk = PK AND sk = 3',
        'UPDATE TABLE SET a = 1 WHERE pk = PK AND sk = 4',
        'UPDATE TABLE SET a = 1 WHERE pk = PK',
        'SLECT * FROM TABLE',
      ),
      [
        { TableName, Item: { a: numericValue(1) } },
        { ...errorResponse('DuplicateItem', 'Duplicate primary key exists in table'), TableName },
        { TableName },
        { ...errorResponse('ConditionalCheckFailed', 'The conditional request failed'), TableName },
        errorResponse('ValidationError', 'Where clause does not contain a mandatory equality on all key attributes'),
        errorResponse('ValidationError', `${MALFORMED_STATEMENT}Expected data manipulation`),
      ],
    )
    expectEqual(
      [await stating.readItem(numericValue(1)), await stating.readItem(numericValue(3))],
      [{ a: numericValue(1) }, undefined],
    )
  },

  'a read in a batch selects one item by exactly its key': async bench => {
    const stating = await PartiqlPartition.of(bench, 'composite', { sk: stringValue('a') })
    const message = 'Select statements within BatchExecuteStatement must specify the primary key in the where clause.'
    for (const words of [
      'SELECT * FROM TABLE WHERE pk = PK',
      'SELECT * FROM TABLE',
      `SELECT * FROM TABLE WHERE pk = PK AND sk = 'a' AND n = 1`,
      `SELECT * FROM TABLE WHERE pk = PK AND sk >= 'a'`,
      `SELECT * FROM TABLE WHERE pk = PK AND sk IN ['a', 'b']`,
      `SELECT * FROM TABLE."inverted" WHERE pk = PK AND sk = 'a'`,
    ])
      expectEqual(await executeBatch(stating, words), [errorResponse('ValidationError', message)])
  },

  'IN with a single value selects a key in a read': async bench => {
    const stating = await PartiqlPartition.of(bench, 'compositeN', { sk: numericValue(1) })
    const found = [{ TableName: stating.TableName, Item: stating.items[0] }]
    expectEqual(await executeBatch(stating, 'SELECT * FROM TABLE WHERE pk IN [PK] AND sk = 1'), found)
    expectEqual(await executeBatch(stating, 'SELECT * FROM TABLE WHERE pk = PK AND sk IN [1]'), found)
    expectEqual(await executeStatements(stating, ['SELECT * FROM TABLE WHERE pk IN [PK] AND sk IN [1]']), {
      Responses: [{ Item: stating.items[0] }],
    })
    expectEqual(await executeBatch(stating, 'DELETE FROM TABLE WHERE pk = PK AND sk IN [1]'), [
      errorResponse('ValidationError', 'Where clause does not contain a mandatory equality on all key attributes'),
    ])
  },

  'a batch reports a missing table': async bench => {
    const stating = await PartiqlPartition.of(bench, 'compositeN', { sk: numericValue(1) })
    const [, missing] = (await executeBatch(
      stating,
      'SELECT * FROM TABLE WHERE pk = PK AND sk = 1',
      `SELECT * FROM "there-is-no-such-table" WHERE pk = 'a'`,
    ))!
    expectEqual(missing?.Error, { Code: 'ResourceNotFound', Message: 'Requested resource not found' })
  },

  'a failed condition in a batch can return the item': async bench => {
    const stating = await PartiqlPartition.of(bench, 'compositeN', { sk: numericValue(1), a: numericValue(1) })
    const [answer] = (await executeBatch(stating, {
      Statement: 'UPDATE TABLE SET b = 1 WHERE pk = PK AND sk = 1 AND a = 2',
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
    }))!
    expectEqual(answer?.Error, {
      Code: 'ConditionalCheckFailed',
      Message: 'The conditional request failed',
      Item: stating.items[0],
    })
  },

  'a batch that mixes reads and writes or repeats an item is rejected': async bench => {
    const stating = await PartiqlPartition.of(bench, 'compositeN')
    const select = 'SELECT * FROM TABLE WHERE pk = PK AND sk = 1'
    await expectValidationError(
      executeBatch(stating, select, 'DELETE FROM TABLE WHERE pk = PK AND sk = 2'),
      'Read and write requests together in the same batch is not supported.',
    )
    const twice = 'Provided list of item keys contains duplicates'
    await expectValidationError(executeBatch(stating, select, 'SELECT a FROM TABLE WHERE sk = 1 AND pk = PK'), twice)
    await expectValidationError(
      executeBatch(
        stating,
        `INSERT INTO TABLE VALUE {'pk': PK, 'sk': 1}`,
        'DELETE FROM TABLE WHERE pk = PK AND sk = 1',
      ),
      twice,
    )
  },

  'errors of the batch are reported before errors of its statements': async bench => {
    const request = { Statements: [{ Statement: '' }], ReturnConsumedCapacity: 'x' }
    await expectValidationError(
      bench.service.batchExecuteStatement(request as never),
      "2 validation errors detected: Value 'x' at 'returnConsumedCapacity' failed to satisfy constraint: Member must " +
        "satisfy enum value set: [INDEXES, TOTAL, NONE]; Value '' at 'statements.1.member.statement' failed to satisfy " +
        'constraint: Member must have length greater than or equal to 1',
    )
  },

  'a batch has at most 25 statements': withCoverage(['limit:BATCH_STATEMENTS'], async bench => {
    const stating = await PartiqlPartition.of(bench, 'compositeN')
    const inserts = createMany(BATCH_STATEMENTS, i => `INSERT INTO TABLE VALUE {'pk': PK, 'sk': ${i}}`)
    expectEqual(
      (await executeBatch(stating, ...inserts))!.every(({ Error: error }) => error === undefined),
      true,
    )
    expectEqual((await stating.select('SELECT sk FROM TABLE WHERE pk = PK')).length, BATCH_STATEMENTS)
    await expectValidationError(
      executeBatch(stating, ...createMany(BATCH_STATEMENTS + 1, i => `DELETE FROM TABLE WHERE pk = PK AND sk = ${i}`)),
      /at 'statements' failed to satisfy constraint: Member must have length less than or equal to 25$/,
    )
  }),

  'every statement of a batch is billed by its own consistency': async bench => {
    const stating = await PartiqlPartition.of(bench, 'compositeN', { sk: numericValue(1) }, { sk: numericValue(2) })
    const read = (sort: number, ConsistentRead: boolean) => ({
      Statement: stating.toStatement(`SELECT * FROM TABLE WHERE pk = PK AND sk = ${sort}`),
      ConsistentRead,
    })
    const { ConsumedCapacity } = await stating.service.batchExecuteStatement({
      Statements: [read(1, true), read(2, false)],
      ReturnConsumedCapacity: 'TOTAL',
    })
    expectEqual(ConsumedCapacity, [{ TableName: stating.TableName, CapacityUnits: 1.5 }])
  },

  'an invalid key and a key change are reported with their table': async bench => {
    const stating = await PartiqlPartition.of(bench, 'compositeN', { sk: numericValue(1) })
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
      expectEqual(await executeBatch(stating, words), [
        { ...errorResponse('ValidationError', `${INVALID}${why}`), TableName },
      ])
  },

  'a failed statement counts toward the total of its table if another statement succeeded': async bench => {
    const stating = await PartiqlPartition.of(bench, 'compositeN', { sk: numericValue(1) })
    const { TableName } = stating
    const insert = (sort: number) => `INSERT INTO TABLE VALUE {'pk': PK, 'sk': ${sort}}`
    const consumed = async (...given: string[]) =>
      (
        await stating.service.batchExecuteStatement({
          Statements: toStatements(stating, given),
          ReturnConsumedCapacity: 'INDEXES',
        })
      ).ConsumedCapacity
    expectEqual(await consumed(insert(1)), undefined)
    expectEqual(await consumed(insert(1), insert(2)), [{ TableName, CapacityUnits: 2, Table: { CapacityUnits: 1 } }])
    expectEqual(await consumed(insert(1), 'SLECT', insert(3), insert(4)), [
      { TableName, CapacityUnits: 3, Table: { CapacityUnits: 2 } },
    ])
  },
})
