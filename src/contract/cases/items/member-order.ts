import { expectInvalidRequest, expectValidationError } from '../../assertions.js'
import { type ContractCase, defineCases } from '../../contract-case.js'
import type { TestBench } from '../../test-bench.js'

type NamedOperation = 'putItem' | 'updateItem' | 'deleteItem' | 'getItem' | 'query' | 'scan'

const Key = { pk: { S: 'ordered' } }
const KEY_CONDITION = { KeyConditions: { pk: { ComparisonOperator: 'EQ', AttributeValueList: [Key.pk] } } }
/** The required members of each operation, without the table. */
const REQUIRED_MEMBERS: Record<NamedOperation, object> = {
  putItem: { Item: Key },
  updateItem: { Key },
  deleteItem: { Key },
  getItem: { Key },
  query: KEY_CONDITION,
  scan: {},
}

/** A request that clients never send on their own, so it has no type. */
function callOperation({ service }: TestBench, operation: NamedOperation, request: object): Promise<unknown> {
  return service[operation]({ ...REQUIRED_MEMBERS[operation], ...request } as never)
}

const constraintError = (value: string, at: string, words: string) =>
  `Value '${value}' at '${at}' failed to satisfy constraint: ${words}`
const enumError = (at: string, values: string) =>
  constraintError('x', at, `Member must satisfy enum value set: [${values}]`)
const CAPACITY = enumError('returnConsumedCapacity', 'INDEXES, TOTAL, NONE')
const METRICS = enumError('returnItemCollectionMetrics', 'SIZE, NONE')
const ON_FAILURE = enumError('returnValuesOnConditionCheckFailure', 'ALL_OLD, NONE')
const SHORT = constraintError('a!', 'tableName', 'Member must have length greater than or equal to 3')
const PATTERN = constraintError('a!', 'tableName', 'Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+')
const validationErrors = (...violations: string[]) =>
  `${violations.length} validation error${violations.length === 1 ? '' : 's'} detected: ${violations.join('; ')}`

const NOTHING_JOINED = 'ConditionalOperator cannot be used without Filter or Expected'
const ONE_JOINED = 'ConditionalOperator can only be used when Filter or Expected has two or more elements'
const NO_JOIN = 'Failed to satisfy constraint: Member must satisfy enum value set: [ALL, OR]'

const writes = (['putItem', 'updateItem', 'deleteItem'] as const).flatMap(operation =>
  defineCases(operation, {
    'ConditionalOperator is validated only when there are conditions': async bench => {
      const TableName = bench.newTableName()
      const refuses = (more: object, words: string) =>
        expectInvalidRequest(callOperation(bench, operation, { TableName, ConditionalOperator: 'XOR', ...more }), words)
      const absent = { Exists: false }
      await refuses({}, NOTHING_JOINED)
      await refuses({ Expected: { a: absent } }, ONE_JOINED)
      await refuses({ Expected: { a: absent, b: absent } }, NO_JOIN)
    },
  }),
)

const reads = defineCases('query', {
  'ConditionalOperator is validated only when there are conditions': async bench => {
    const TableName = bench.newTableName()
    const refuses = (more: object, words: string) =>
      expectValidationError(callOperation(bench, 'query', { TableName, ConditionalOperator: 'XOR', ...more }), words)
    const isNull = { ComparisonOperator: 'NULL' }
    await refuses({}, NOTHING_JOINED)
    await refuses({ QueryFilter: { a: isNull } }, ONE_JOINED)
    await refuses({ QueryFilter: { a: isNull, b: isNull } }, NO_JOIN)
  },

  'an invalid Select is reported after all other errors': async bench => {
    const select = enumError('select', 'SPECIFIC_ATTRIBUTES, COUNT, ALL_ATTRIBUTES, ALL_PROJECTED_ATTRIBUTES')
    const TableName = bench.newTableName()
    await expectValidationError(callOperation(bench, 'query', { TableName, Select: 'x' }), validationErrors(select))
    const wrong = { TableName, Select: 'x', ReturnConsumedCapacity: 'x' }
    await expectValidationError(callOperation(bench, 'query', wrong), validationErrors(CAPACITY))
    const isNull = { ComparisonOperator: 'NULL' }
    const filter = { QueryFilter: { a: isNull, b: isNull } }
    const refuses = (more: object, words: string | RegExp) =>
      expectValidationError(callOperation(bench, 'query', { TableName, Select: 'x', ...filter, ...more }), words)
    await refuses({ ConditionalOperator: 'XOR' }, NO_JOIN)
    await refuses({ FilterExpression: 'c = :c' }, /^Can not use both expression and non-expression parameters/)
    await refuses({}, validationErrors(select))
  },
})

const scans = defineCases('scan', {
  'enumerated values are checked with the rest of the model, before the filter': async bench => {
    const TableName = bench.newTableName()
    const select = enumError('select', 'SPECIFIC_ATTRIBUTES, COUNT, ALL_ATTRIBUTES, ALL_PROJECTED_ATTRIBUTES')
    const join = enumError('conditionalOperator', 'OR, AND')
    const refuses = (more: object, ...violations: string[]) =>
      expectValidationError(callOperation(bench, 'scan', { TableName, ...more }), validationErrors(...violations))
    await refuses({ Select: 'x' }, select)
    await refuses({ Select: 'x', ReturnConsumedCapacity: 'x' }, select, CAPACITY)
    await refuses({ ConditionalOperator: 'x', ScanFilter: { a: { ComparisonOperator: 'NULL' } } }, join)
    await refuses({ ConditionalOperator: 'x', Select: 'x', FilterExpression: 'c = :c' }, select, join)
    const comparisons = 'IN, NULL, BETWEEN, LT, NOT_CONTAINS, EQ, GT, NOT_NULL, NE, LE, BEGINS_WITH, GE, CONTAINS'
    await refuses(
      { ScanFilter: { a: { ComparisonOperator: 'x' } } },
      enumError('scanFilter.a.member.comparisonOperator', comparisons),
    )
  },

  'the error repeats an out-of-range number': async bench => {
    const limit = constraintError('0', 'limit', 'Member must have value greater than or equal to 1')
    await expectValidationError(
      callOperation(bench, 'scan', { TableName: bench.newTableName(), Limit: 0 }),
      validationErrors(limit),
    )
  },

  'an invalid table name is reported only if the rest of the request is valid': async bench => {
    await expectValidationError(callOperation(bench, 'scan', { TableName: 'a!' }), validationErrors(SHORT, PATTERN))
    await expectValidationError(
      callOperation(bench, 'scan', { TableName: 'a!', ReturnConsumedCapacity: 'x' }),
      validationErrors(CAPACITY),
    )
  },
})

const names = (['putItem', 'deleteItem', 'getItem', 'query'] as const).flatMap(operation =>
  defineCases(operation, {
    'an invalid table name is reported first, once, and together with other errors': async bench => {
      await expectValidationError(callOperation(bench, operation, { TableName: 'a!' }), validationErrors(SHORT))
      await expectValidationError(
        callOperation(bench, operation, { TableName: 'a!', ReturnConsumedCapacity: 'x' }),
        validationErrors(SHORT, CAPACITY),
      )
    },
  }),
)

const alone = defineCases('updateItem', {
  'errors of an update are reported one at a time': async bench => {
    const TableName = bench.newTableName()
    const refuses = (more: object, message: string) =>
      expectValidationError(
        callOperation(bench, 'updateItem', { TableName, ReturnConsumedCapacity: 'x', ...more }),
        message,
      )
    await refuses({ TableName: 'a!' }, validationErrors(PATTERN, SHORT))
    await refuses({}, CAPACITY)
    await refuses({ ReturnItemCollectionMetrics: 'x' }, validationErrors(METRICS))
    await refuses({ ReturnItemCollectionMetrics: 'x', ReturnValuesOnConditionCheckFailure: 'x' }, ON_FAILURE)
  },
})

const deletions = defineCases('deleteItem', {
  'invalid ReturnValues of a delete are reported together with other errors': async bench => {
    const request = { TableName: bench.newTableName(), ReturnValues: 'ALL_NEW', ReturnConsumedCapacity: 'x' }
    const values = 'ReturnValues can only be ALL_OLD or NONE'
    await expectValidationError(callOperation(bench, 'deleteItem', request), validationErrors(CAPACITY, values))
    await expectValidationError(
      callOperation(bench, 'deleteItem', { ...request, ReturnConsumedCapacity: 'NONE' }),
      validationErrors(values),
    )
  },
})

/** Cases of the order in which several errors of a request are reported. */
export const memberOrderCases: readonly ContractCase[] = [
  ...writes,
  ...reads,
  ...scans,
  ...names,
  ...alone,
  ...deletions,
]
