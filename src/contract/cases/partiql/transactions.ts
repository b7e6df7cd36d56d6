import { ITEM_BYTES, TRANSACT_BYTES, TRANSACT_ITEMS } from '../../../dynamodb/limits.js'
import { expectEqual, expectRejection, expectValidationError } from '../../assertions.js'
import { defineCases, withCoverage } from '../../contract-case.js'
import { createMany } from '../../fixtures/sized-items.js'
import { numericValue, stringValue } from '../../fixtures/test-partition.js'
import { executeStatements } from './batches.js'
import { MALFORMED_STATEMENT, PartiqlPartition } from './partiql-partition.js'

const cancellationMessage = (codes: string) =>
  `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes}]`
const statementError = (position: number, message: string) =>
  `Validation failed in TransactStatements[${position}]: ${message}`

/** Cases of transactions of statements. */
export const partiqlTransactionCases = defineCases('executeTransaction', {
  'a transaction of reads returns each item': async bench => {
    const stating = await PartiqlPartition.of(bench, 'compositeN', { sk: numericValue(1), a: stringValue('x') })
    const { TableName } = stating
    const words = ['SELECT * FROM TABLE WHERE pk = PK AND sk = 1', 'SELECT a FROM TABLE WHERE pk = PK AND sk = 2']
    expectEqual(await executeStatements(stating, words, { ReturnConsumedCapacity: 'TOTAL' }), {
      Responses: [{ Item: stating.items[0] }, {}],
      ConsumedCapacity: [{ TableName, CapacityUnits: 4, ReadCapacityUnits: 4 }],
    })
  },

  'a read of a transaction costs by the size of its item': async bench => {
    const stating = await PartiqlPartition.of(bench, 'compositeN', {
      sk: numericValue(1),
      filling: stringValue('x'.repeat(5000)),
    })
    const { TableName } = stating
    expectEqual(
      await executeStatements(stating, ['SELECT sk FROM TABLE WHERE pk = PK AND sk = 1'], {
        ReturnConsumedCapacity: 'TOTAL',
      }),
      {
        Responses: [{ Item: { sk: numericValue(1) } }],
        ConsumedCapacity: [{ TableName, CapacityUnits: 4, ReadCapacityUnits: 4 }],
      },
    )
  },

  'a transaction of writes applies every statement and returns no items': async bench => {
    const stating = await PartiqlPartition.of(
      bench,
      'compositeN',
      { sk: numericValue(1) },
      { sk: numericValue(3), n: numericValue(1) },
    )
    const { TableName } = stating
    const words = [
      'UPDATE TABLE SET a = 1 WHERE pk = PK AND sk = 1',
      `INSERT INTO TABLE VALUE {'pk': PK, 'sk': 2}`,
      'EXISTS(SELECT * FROM TABLE WHERE pk = PK AND sk = 3 AND n = 1)',
      'DELETE FROM TABLE WHERE pk = PK AND sk = 4',
    ]
    expectEqual(await executeStatements(stating, words, { ReturnConsumedCapacity: 'TOTAL' }), {
      Responses: [],
      ConsumedCapacity: [{ TableName, CapacityUnits: 8, WriteCapacityUnits: 8 }],
    })
    expectEqual(
      [await stating.readItem(numericValue(1)), await stating.readItem(numericValue(2))],
      [{ a: numericValue(1) }, {}],
    )
  },

  'a transaction with a failing statement applies nothing and reports every reason': async bench => {
    const stating = await PartiqlPartition.of(
      bench,
      'compositeN',
      { sk: numericValue(1) },
      { sk: numericValue(2), n: numericValue(1) },
    )
    const error = await expectRejection(
      executeStatements(stating, [
        'UPDATE TABLE SET a = 1 WHERE pk = PK AND sk = 1',
        `INSERT INTO TABLE VALUE {'pk': PK, 'sk': 2}`,
        'UPDATE TABLE SET a = 1 WHERE pk = PK AND sk = 3',
      ]),
      'TransactionCanceledException',
      cancellationMessage('None, DuplicateItem, ConditionalCheckFailed'),
    )
    expectEqual(
      error.CancellationReasons?.map(({ Message }) => Message),
      [undefined, 'Duplicate primary key exists in table', 'The conditional request failed'],
    )
    expectEqual(await stating.readItem(numericValue(1)), {})
  },

  'a conditional delete of a missing item fails together with other statements, but not alone': async bench => {
    const stating = await PartiqlPartition.of(bench, 'compositeN')
    const deletions = [1, 2].map(sort => `DELETE FROM TABLE WHERE pk = PK AND sk = ${sort}`)
    const asking = deletions.map((words, i) => (i === 0 ? `${words} AND n = 1` : words))
    expectEqual(await executeStatements(stating, asking), { Responses: [] })
    await expectRejection(
      executeStatements(stating, [...asking, 'UPDATE TABLE SET a = 1 WHERE pk = PK AND sk = 3']),
      'TransactionCanceledException',
      cancellationMessage('ConditionalCheckFailed, None, ConditionalCheckFailed'),
    )
  },

  'a wrong key type fails a transaction before other checks': async bench => {
    const stating = await PartiqlPartition.of(bench, 'compositeN', { sk: numericValue(1) })
    const error = await expectRejection(
      executeStatements(stating, [
        `INSERT INTO TABLE VALUE {'pk': PK, 'sk': 1}`,
        `UPDATE TABLE SET a = 1 WHERE pk = PK AND sk = 'x'`,
      ]),
      'TransactionCanceledException',
      cancellationMessage('None, ValidationError'),
    )
    expectEqual(error.CancellationReasons?.[1]?.Message, 'The provided key element does not match the schema')
  },

  'a failed EXISTS fails the transaction': async bench => {
    const stating = await PartiqlPartition.of(bench, 'compositeN', { sk: numericValue(1), n: numericValue(1) })
    const write = 'UPDATE TABLE SET a = 1 WHERE pk = PK AND sk = 1'
    const exists = (select: string) => `EXISTS(${select})`
    const other = await PartiqlPartition.of(bench, 'compositeN', { sk: numericValue(5), n: numericValue(1) })
    await expectRejection(
      executeStatements(stating, [exists(`SELECT * FROM TABLE WHERE pk = '${other.pk}' AND sk = 5 AND n = 2`), write]),
      'TransactionCanceledException',
      cancellationMessage('ConditionalCheckFailed, None'),
    )
    const none = exists(`SELECT * FROM TABLE WHERE pk = '${other.pk}' AND sk = 6 AND n IS MISSING`)
    await expectRejection(executeStatements(stating, [none, write]), 'TransactionCanceledException')
    await expectValidationError(
      executeStatements(stating, [exists(`SELECT * FROM TABLE WHERE pk = '${other.pk}' AND sk = 5`), write]),
      statementError(0, 'EXISTS() must contain a single item read with additional condition'),
    )
    expectEqual(await stating.readItem(numericValue(1)), { n: numericValue(1) })
  },

  'a transaction that mixes reads and writes or repeats an item is rejected': async bench => {
    const stating = await PartiqlPartition.of(bench, 'compositeN', { sk: numericValue(1) })
    const update = 'UPDATE TABLE SET a = 1 WHERE pk = PK AND sk = 1'
    await expectValidationError(
      executeStatements(stating, ['SELECT * FROM TABLE WHERE pk = PK AND sk = 2', update]),
      'ExecuteTransaction API does not support both read and write operations in the same request.',
    )
    const reading = 'SELECT * FROM TABLE WHERE pk = PK AND sk = 1'
    for (const twice of [
      [update, 'DELETE FROM TABLE WHERE pk = PK AND sk = 1'],
      [reading, reading],
    ])
      await expectValidationError(
        executeStatements(stating, twice),
        'Transaction request cannot include multiple operations on one item',
      )
  },

  'an unsupported statement in a transaction is reported with its position': async bench => {
    const stating = await PartiqlPartition.of(bench, 'composite', { sk: stringValue('a') })
    const update = `UPDATE TABLE SET a = 1 WHERE pk = PK AND sk = 'a'`
    const second = (words: string, message: string) =>
      expectValidationError(executeStatements(stating, [update, words]), statementError(1, message))
    await second('SELECT * FROM TABLE WHERE', `${MALFORMED_STATEMENT}Unexpected term`)
    await second(`${update} RETURNING ALL NEW *`, 'RETURNING clause is not supported in ExecuteTransaction.')
    await second(
      `DELETE FROM TABLE WHERE pk = PK AND sk = [1]`,
      'Key value must be of type S, N, or B. Key name: sk, Key type: L',
    )
    for (const index of ['TABLE."byGroup"', `"${await bench.sharedTable('native')}"."place"`])
      await expectValidationError(
        executeStatements(stating, [`SELECT * FROM ${index} WHERE "group" = 'x'`]),
        statementError(0, 'Reads on indices are not supported within transactions.'),
      )
    for (const where of ['pk = PK', `pk = PK AND sk = 'a' AND attribute_exists(n)`])
      await expectValidationError(
        executeStatements(stating, [`SELECT * FROM TABLE WHERE ${where}`]),
        statementError(
          0,
          'Select statements within ExecuteTransaction must specify the primary key in the where clause.',
        ),
      )
    await expectValidationError(
      executeStatements(stating, [{ Statement: update, Parameters: [{ N: 'abc' }] }]),
      'The parameter cannot be converted to a numeric value: abc',
    )
  },

  'a token makes a transaction idempotent': async bench => {
    const stating = await PartiqlPartition.of(bench, 'compositeN', { sk: numericValue(1), n: numericValue(0) })
    const { TableName } = stating
    const more = { ClientRequestToken: bench.unique().slice(-36), ReturnConsumedCapacity: 'TOTAL' }
    const increment = ['UPDATE TABLE SET n = n + 1 WHERE pk = PK AND sk = 1']
    const consumed = (direction: string) => ({
      Responses: [],
      ConsumedCapacity: [{ TableName, CapacityUnits: 2, [`${direction}CapacityUnits`]: 2 }],
    })
    expectEqual(await executeStatements(stating, increment, more), consumed('Write'))
    expectEqual(await executeStatements(stating, increment, more), consumed('Read'))
    const [Statement] = increment as [string]
    const onFailure = (mode: 'NONE' | 'ALL_OLD') => [{ Statement, ReturnValuesOnConditionCheckFailure: mode }]
    expectEqual(await executeStatements(stating, onFailure('NONE'), more), consumed('Read'))
    await expectRejection(
      executeStatements(stating, onFailure('ALL_OLD'), more),
      'IdempotentParameterMismatchException',
    )
    expectEqual(await stating.readItem(numericValue(1)), { n: numericValue(1) })
    await expectRejection(
      executeStatements(stating, ['DELETE FROM TABLE WHERE pk = PK AND sk = 1'], more),
      'IdempotentParameterMismatchException',
    )
  },

  'a transaction carries at most 4 MB': withCoverage(['limit:TRANSACT_BYTES'], async bench => {
    const stating = await PartiqlPartition.of(bench, 'compositeN')
    const filling = { S: 'x'.repeat(ITEM_BYTES - 200) }
    const inserts = createMany(Math.floor(TRANSACT_BYTES / ITEM_BYTES) + 1, i => ({
      Statement: `INSERT INTO TABLE VALUE {'pk': PK, 'sk': ${i}, 'filling': ?}`,
      Parameters: [filling],
    }))
    await expectValidationError(
      executeStatements(stating, inserts),
      /^Transaction payload size cannot exceed 4MB\. Payload Size: \d+$/,
    )
    expectEqual(await executeStatements(stating, inserts.slice(1)), { Responses: [] })
  }),

  'a transaction of reads returns at most 4 MB': withCoverage(['limit:TRANSACT_BYTES'], async bench => {
    const filling = stringValue('x'.repeat(ITEM_BYTES - 200))
    const sorts = createMany(Math.floor(TRANSACT_BYTES / ITEM_BYTES) + 1, numericValue)
    const stating = await PartiqlPartition.of(bench, 'compositeN', ...sorts.map(sk => ({ sk, filling })))
    const reads = sorts.map(({ N }) => `SELECT * FROM TABLE WHERE pk = PK AND sk = ${N}`)
    // The service's message for it is unknown.
    await expectRejection(executeStatements(stating, reads), 'ValidationException')
    expectEqual(await executeStatements(stating, reads.slice(1)), {
      Responses: stating.items.slice(1).map(Item => ({ Item })),
    })
  }),

  'a transaction has at most 100 statements': withCoverage(['limit:TRANSACT_ITEMS'], async bench => {
    const stating = await PartiqlPartition.of(bench, 'compositeN')
    const inserts = createMany(TRANSACT_ITEMS, i => `INSERT INTO TABLE VALUE {'pk': PK, 'sk': ${i}}`)
    expectEqual(await executeStatements(stating, inserts), { Responses: [] })
    expectEqual((await stating.select('SELECT sk FROM TABLE WHERE pk = PK')).length, TRANSACT_ITEMS)
    await expectValidationError(
      executeStatements(
        stating,
        createMany(TRANSACT_ITEMS + 1, i => `DELETE FROM TABLE WHERE pk = PK AND sk = ${i}`),
      ),
      /at 'transactStatements' failed to satisfy constraint: Member must have length less than or equal to 100$/,
    )
  }),
})
