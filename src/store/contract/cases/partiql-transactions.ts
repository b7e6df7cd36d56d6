import { ITEM_BYTES, TRANSACT_BYTES, TRANSACT_ITEMS } from '../../../dynamodb/limits.js'
import { cases, covering } from '../case.js'
import { invalid, refused, same } from '../expect.js'
import { times } from './measures.js'
import { transact } from './partiql-batches.js'
import { number, text } from './reading.js'
import { NOT_WELL_FORMED, Stating } from './stating.js'

const cancelled = (codes: string) =>
  `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes}]`
const inStatement = (position: number, message: string) =>
  `Validation failed in TransactStatements[${position}]: ${message}`

/** Several statements in one request, all or none. */
export const partiqlTransactionCases = cases('executeTransaction', {
  'a transaction of reads answers each item': async bench => {
    const stating = await Stating.of(bench, 'compositeN', { sk: number(1), a: text('x') })
    const { TableName } = stating
    const words = ['SELECT * FROM TABLE WHERE pk = PK AND sk = 1', 'SELECT a FROM TABLE WHERE pk = PK AND sk = 2']
    same(await transact(stating, words, { ReturnConsumedCapacity: 'TOTAL' }), {
      Responses: [{ Item: stating.items[0] }, {}],
      ConsumedCapacity: [{ TableName, CapacityUnits: 4, ReadCapacityUnits: 4 }],
    })
  },

  'a read of a transaction costs by the size of its item': async bench => {
    const stating = await Stating.of(bench, 'compositeN', { sk: number(1), filling: text('x'.repeat(5000)) })
    const { TableName } = stating
    same(
      await transact(stating, ['SELECT sk FROM TABLE WHERE pk = PK AND sk = 1'], { ReturnConsumedCapacity: 'TOTAL' }),
      {
        Responses: [{ Item: { sk: number(1) } }],
        ConsumedCapacity: [{ TableName, CapacityUnits: 4, ReadCapacityUnits: 4 }],
      },
    )
  },

  'a transaction of writes does all, and answers nothing of them': async bench => {
    const stating = await Stating.of(bench, 'compositeN', { sk: number(1) }, { sk: number(3), n: number(1) })
    const { TableName } = stating
    const words = [
      'UPDATE TABLE SET a = 1 WHERE pk = PK AND sk = 1',
      `INSERT INTO TABLE VALUE {'pk': PK, 'sk': 2}`,
      'EXISTS(SELECT * FROM TABLE WHERE pk = PK AND sk = 3 AND n = 1)',
      'DELETE FROM TABLE WHERE pk = PK AND sk = 4',
    ]
    same(await transact(stating, words, { ReturnConsumedCapacity: 'TOTAL' }), {
      Responses: [],
      ConsumedCapacity: [{ TableName, CapacityUnits: 8, WriteCapacityUnits: 8 }],
    })
    same([await stating.stored(number(1)), await stating.stored(number(2))], [{ a: number(1) }, {}])
  },

  'a transaction that fails in any statement does nothing, and tells each reason': async bench => {
    const stating = await Stating.of(bench, 'compositeN', { sk: number(1) }, { sk: number(2), n: number(1) })
    const error = await refused(
      transact(stating, [
        'UPDATE TABLE SET a = 1 WHERE pk = PK AND sk = 1',
        `INSERT INTO TABLE VALUE {'pk': PK, 'sk': 2}`,
        'UPDATE TABLE SET a = 1 WHERE pk = PK AND sk = 3',
      ]),
      'TransactionCanceledException',
      cancelled('None, DuplicateItem, ConditionalCheckFailed'),
    )
    same(
      error.CancellationReasons?.map(({ Message }) => Message),
      [undefined, 'Duplicate primary key exists in table', 'The conditional request failed'],
    )
    same(await stating.stored(number(1)), {})
  },

  'a deletion that asks something of an item that is not there fails with others, and not by itself': async bench => {
    const stating = await Stating.of(bench, 'compositeN')
    const deletions = [1, 2].map(sort => `DELETE FROM TABLE WHERE pk = PK AND sk = ${sort}`)
    const asking = deletions.map((words, i) => (i === 0 ? `${words} AND n = 1` : words))
    same(await transact(stating, asking), { Responses: [] })
    await refused(
      transact(stating, [...asking, 'UPDATE TABLE SET a = 1 WHERE pk = PK AND sk = 3']),
      'TransactionCanceledException',
      cancelled('ConditionalCheckFailed, None, ConditionalCheckFailed'),
    )
  },

  'a key of another type fails a transaction before anything else is looked at': async bench => {
    const stating = await Stating.of(bench, 'compositeN', { sk: number(1) })
    const error = await refused(
      transact(stating, [
        `INSERT INTO TABLE VALUE {'pk': PK, 'sk': 1}`,
        `UPDATE TABLE SET a = 1 WHERE pk = PK AND sk = 'x'`,
      ]),
      'TransactionCanceledException',
      cancelled('None, ValidationError'),
    )
    same(error.CancellationReasons?.[1]?.Message, 'The provided key element does not match the schema')
  },

  'EXISTS fails a transaction whose item is not so': async bench => {
    const stating = await Stating.of(bench, 'compositeN', { sk: number(1), n: number(1) })
    const write = 'UPDATE TABLE SET a = 1 WHERE pk = PK AND sk = 1'
    const exists = (select: string) => `EXISTS(${select})`
    const other = await Stating.of(bench, 'compositeN', { sk: number(5), n: number(1) })
    await refused(
      transact(stating, [exists(`SELECT * FROM TABLE WHERE pk = '${other.pk}' AND sk = 5 AND n = 2`), write]),
      'TransactionCanceledException',
      cancelled('ConditionalCheckFailed, None'),
    )
    const none = exists(`SELECT * FROM TABLE WHERE pk = '${other.pk}' AND sk = 6 AND n IS MISSING`)
    await refused(transact(stating, [none, write]), 'TransactionCanceledException')
    await invalid(
      transact(stating, [exists(`SELECT * FROM TABLE WHERE pk = '${other.pk}' AND sk = 5`), write]),
      inStatement(0, 'EXISTS() must contain a single item read with additional condition'),
    )
    same(await stating.stored(number(1)), { n: number(1) })
  },

  'a transaction is of reads or of writes, and of no item twice': async bench => {
    const stating = await Stating.of(bench, 'compositeN', { sk: number(1) })
    const update = 'UPDATE TABLE SET a = 1 WHERE pk = PK AND sk = 1'
    await invalid(
      transact(stating, ['SELECT * FROM TABLE WHERE pk = PK AND sk = 2', update]),
      'ExecuteTransaction API does not support both read and write operations in the same request.',
    )
    const reading = 'SELECT * FROM TABLE WHERE pk = PK AND sk = 1'
    for (const twice of [
      [update, 'DELETE FROM TABLE WHERE pk = PK AND sk = 1'],
      [reading, reading],
    ])
      await invalid(transact(stating, twice), 'Transaction request cannot include multiple operations on one item')
  },

  'what a statement of a transaction cannot be is told with its place': async bench => {
    const stating = await Stating.of(bench, 'composite', { sk: text('a') })
    const update = `UPDATE TABLE SET a = 1 WHERE pk = PK AND sk = 'a'`
    const second = (words: string, message: string) =>
      invalid(transact(stating, [update, words]), inStatement(1, message))
    await second('SELECT * FROM TABLE WHERE', `${NOT_WELL_FORMED}Unexpected term`)
    await second(`${update} RETURNING ALL NEW *`, 'RETURNING clause is not supported in ExecuteTransaction.')
    await second(
      `DELETE FROM TABLE WHERE pk = PK AND sk = [1]`,
      'Key value must be of type S, N, or B. Key name: sk, Key type: L',
    )
    for (const index of ['TABLE."byGroup"', `"${await bench.table('native')}"."place"`])
      await invalid(
        transact(stating, [`SELECT * FROM ${index} WHERE "group" = 'x'`]),
        inStatement(0, 'Reads on indices are not supported within transactions.'),
      )
    for (const where of ['pk = PK', `pk = PK AND sk = 'a' AND attribute_exists(n)`])
      await invalid(
        transact(stating, [`SELECT * FROM TABLE WHERE ${where}`]),
        inStatement(0, 'Select statements within ExecuteTransaction must specify the primary key in the where clause.'),
      )
    await invalid(
      transact(stating, [{ Statement: update, Parameters: [{ N: 'abc' }] }]),
      'The parameter cannot be converted to a numeric value: abc',
    )
  },

  'a token keeps a transaction from being done twice': async bench => {
    const stating = await Stating.of(bench, 'compositeN', { sk: number(1), n: number(0) })
    const { TableName } = stating
    const more = { ClientRequestToken: bench.unique().slice(-36), ReturnConsumedCapacity: 'TOTAL' }
    const increment = ['UPDATE TABLE SET n = n + 1 WHERE pk = PK AND sk = 1']
    const consumed = (direction: string) => ({
      Responses: [],
      ConsumedCapacity: [{ TableName, CapacityUnits: 2, [`${direction}CapacityUnits`]: 2 }],
    })
    same(await transact(stating, increment, more), consumed('Write'))
    same(await transact(stating, increment, more), consumed('Read'))
    const [Statement] = increment as [string]
    const onFailure = (mode: 'NONE' | 'ALL_OLD') => [{ Statement, ReturnValuesOnConditionCheckFailure: mode }]
    same(await transact(stating, onFailure('NONE'), more), consumed('Read'))
    await refused(transact(stating, onFailure('ALL_OLD'), more), 'IdempotentParameterMismatchException')
    same(await stating.stored(number(1)), { n: number(1) })
    await refused(
      transact(stating, ['DELETE FROM TABLE WHERE pk = PK AND sk = 1'], more),
      'IdempotentParameterMismatchException',
    )
  },

  'a transaction carries at most 4 MB': covering(['limit:TRANSACT_BYTES'], async bench => {
    const stating = await Stating.of(bench, 'compositeN')
    const filling = { S: 'x'.repeat(ITEM_BYTES - 200) }
    const inserts = times(Math.floor(TRANSACT_BYTES / ITEM_BYTES) + 1, i => ({
      Statement: `INSERT INTO TABLE VALUE {'pk': PK, 'sk': ${i}, 'filling': ?}`,
      Parameters: [filling],
    }))
    await invalid(transact(stating, inserts), /^Transaction payload size cannot exceed 4MB\. Payload Size: \d+$/)
    same(await transact(stating, inserts.slice(1)), { Responses: [] })
  }),

  'a transaction of reads answers at most 4 MB': covering(['limit:TRANSACT_BYTES'], async bench => {
    const filling = text('x'.repeat(ITEM_BYTES - 200))
    const sorts = times(Math.floor(TRANSACT_BYTES / ITEM_BYTES) + 1, number)
    const stating = await Stating.of(bench, 'compositeN', ...sorts.map(sk => ({ sk, filling })))
    const reads = sorts.map(({ N }) => `SELECT * FROM TABLE WHERE pk = PK AND sk = ${N}`)
    // The service's words for it are not known.
    await refused(transact(stating, reads), 'ValidationException')
    same(await transact(stating, reads.slice(1)), {
      Responses: stating.items.slice(1).map(Item => ({ Item })),
    })
  }),

  'a transaction has at most 100 statements': covering(['limit:TRANSACT_ITEMS'], async bench => {
    const stating = await Stating.of(bench, 'compositeN')
    const inserts = times(TRANSACT_ITEMS, i => `INSERT INTO TABLE VALUE {'pk': PK, 'sk': ${i}}`)
    same(await transact(stating, inserts), { Responses: [] })
    same((await stating.select('SELECT sk FROM TABLE WHERE pk = PK')).length, TRANSACT_ITEMS)
    await invalid(
      transact(
        stating,
        times(TRANSACT_ITEMS + 1, i => `DELETE FROM TABLE WHERE pk = PK AND sk = ${i}`),
      ),
      /at 'transactStatements' failed to satisfy constraint: Member must have length less than or equal to 100$/,
    )
  }),
})
