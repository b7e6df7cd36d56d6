import type { Bench } from '../bench.js'
import { type ContractCase, cases } from '../case.js'
import { invalid, invalidRequest } from '../expect.js'

type Named = 'putItem' | 'updateItem' | 'deleteItem' | 'getItem' | 'query' | 'scan'

const Key = { pk: { S: 'ordered' } }
const queried = { KeyConditions: { pk: { ComparisonOperator: 'EQ', AttributeValueList: [Key.pk] } } }
/** What each operation needs beside a table. */
const NEEDED: Record<Named, object> = {
  putItem: { Item: Key },
  updateItem: { Key },
  deleteItem: { Key },
  getItem: { Key },
  query: queried,
  scan: {},
}

/** A request that no client of its own accord sends, so that it has no type. */
function send({ service }: Bench, operation: Named, request: object): Promise<unknown> {
  return service[operation]({ ...NEEDED[operation], ...request } as never)
}

const failed = (value: string, at: string, words: string) =>
  `Value '${value}' at '${at}' failed to satisfy constraint: ${words}`
const enumerated = (at: string, values: string) => failed('x', at, `Member must satisfy enum value set: [${values}]`)
const CAPACITY = enumerated('returnConsumedCapacity', 'INDEXES, TOTAL, NONE')
const METRICS = enumerated('returnItemCollectionMetrics', 'SIZE, NONE')
const ON_FAILURE = enumerated('returnValuesOnConditionCheckFailure', 'ALL_OLD, NONE')
const SHORT = failed('a!', 'tableName', 'Member must have length greater than or equal to 3')
const PATTERN = failed('a!', 'tableName', 'Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+')
const counted = (...violations: string[]) =>
  `${violations.length} validation error${violations.length === 1 ? '' : 's'} detected: ${violations.join('; ')}`

const NOTHING_JOINED = 'ConditionalOperator cannot be used without Filter or Expected'
const ONE_JOINED = 'ConditionalOperator can only be used when Filter or Expected has two or more elements'
const NO_JOIN = 'Failed to satisfy constraint: Member must satisfy enum value set: [ALL, OR]'

const writes = (['putItem', 'updateItem', 'deleteItem'] as const).flatMap(operation =>
  cases(operation, {
    'what joins conditions is looked at only where there are some': async bench => {
      const TableName = bench.ownName()
      const refuses = (more: object, words: string) =>
        invalidRequest(send(bench, operation, { TableName, ConditionalOperator: 'XOR', ...more }), words)
      const absent = { Exists: false }
      await refuses({}, NOTHING_JOINED)
      await refuses({ Expected: { a: absent } }, ONE_JOINED)
      await refuses({ Expected: { a: absent, b: absent } }, NO_JOIN)
    },
  }),
)

const reads = cases('query', {
  'what joins conditions is looked at only where there are some': async bench => {
    const TableName = bench.ownName()
    const refuses = (more: object, words: string) =>
      invalid(send(bench, 'query', { TableName, ConditionalOperator: 'XOR', ...more }), words)
    const isNull = { ComparisonOperator: 'NULL' }
    await refuses({}, NOTHING_JOINED)
    await refuses({ QueryFilter: { a: isNull } }, ONE_JOINED)
    await refuses({ QueryFilter: { a: isNull, b: isNull } }, NO_JOIN)
  },

  'a wrong Select is told when all else is right': async bench => {
    const select = enumerated('select', 'SPECIFIC_ATTRIBUTES, COUNT, ALL_ATTRIBUTES, ALL_PROJECTED_ATTRIBUTES')
    const TableName = bench.ownName()
    await invalid(send(bench, 'query', { TableName, Select: 'x' }), counted(select))
    const wrong = { TableName, Select: 'x', ReturnConsumedCapacity: 'x' }
    await invalid(send(bench, 'query', wrong), counted(CAPACITY))
    const isNull = { ComparisonOperator: 'NULL' }
    const filter = { QueryFilter: { a: isNull, b: isNull } }
    const refuses = (more: object, words: string | RegExp) =>
      invalid(send(bench, 'query', { TableName, Select: 'x', ...filter, ...more }), words)
    await refuses({ ConditionalOperator: 'XOR' }, NO_JOIN)
    await refuses({ FilterExpression: 'c = :c' }, /^Can not use both expression and non-expression parameters/)
    await refuses({}, counted(select))
  },
})

const scans = cases('scan', {
  'enumerated values are checked with the rest of the model, before the filter': async bench => {
    const TableName = bench.ownName()
    const select = enumerated('select', 'SPECIFIC_ATTRIBUTES, COUNT, ALL_ATTRIBUTES, ALL_PROJECTED_ATTRIBUTES')
    const join = enumerated('conditionalOperator', 'OR, AND')
    const refuses = (more: object, ...violations: string[]) =>
      invalid(send(bench, 'scan', { TableName, ...more }), counted(...violations))
    await refuses({ Select: 'x' }, select)
    await refuses({ Select: 'x', ReturnConsumedCapacity: 'x' }, select, CAPACITY)
    await refuses({ ConditionalOperator: 'x', ScanFilter: { a: { ComparisonOperator: 'NULL' } } }, join)
    await refuses({ ConditionalOperator: 'x', Select: 'x', FilterExpression: 'c = :c' }, select, join)
    const comparisons = 'IN, NULL, BETWEEN, LT, NOT_CONTAINS, EQ, GT, NOT_NULL, NE, LE, BEGINS_WITH, GE, CONTAINS'
    await refuses(
      { ScanFilter: { a: { ComparisonOperator: 'x' } } },
      enumerated('scanFilter.a.member.comparisonOperator', comparisons),
    )
  },

  'the value of a number out of range is repeated': async bench => {
    const limit = failed('0', 'limit', 'Member must have value greater than or equal to 1')
    await invalid(send(bench, 'scan', { TableName: bench.ownName(), Limit: 0 }), counted(limit))
  },

  'an invalid table name is reported only where the rest of the request is valid': async bench => {
    await invalid(send(bench, 'scan', { TableName: 'a!' }), counted(SHORT, PATTERN))
    await invalid(send(bench, 'scan', { TableName: 'a!', ReturnConsumedCapacity: 'x' }), counted(CAPACITY))
  },
})

const names = (['putItem', 'deleteItem', 'getItem', 'query'] as const).flatMap(operation =>
  cases(operation, {
    'a name that is none is told first, once, and beside the others': async bench => {
      await invalid(send(bench, operation, { TableName: 'a!' }), counted(SHORT))
      await invalid(send(bench, operation, { TableName: 'a!', ReturnConsumedCapacity: 'x' }), counted(SHORT, CAPACITY))
    },
  }),
)

const alone = cases('updateItem', {
  'what is wrong with an update is told one at a time': async bench => {
    const TableName = bench.ownName()
    const refuses = (more: object, message: string) =>
      invalid(send(bench, 'updateItem', { TableName, ReturnConsumedCapacity: 'x', ...more }), message)
    await refuses({ TableName: 'a!' }, counted(PATTERN, SHORT))
    await refuses({}, CAPACITY)
    await refuses({ ReturnItemCollectionMetrics: 'x' }, counted(METRICS))
    await refuses({ ReturnItemCollectionMetrics: 'x', ReturnValuesOnConditionCheckFailure: 'x' }, ON_FAILURE)
  },
})

const deletions = cases('deleteItem', {
  'values that a deletion cannot return are told beside what else is wrong': async bench => {
    const request = { TableName: bench.ownName(), ReturnValues: 'ALL_NEW', ReturnConsumedCapacity: 'x' }
    const values = 'ReturnValues can only be ALL_OLD or NONE'
    await invalid(send(bench, 'deleteItem', request), counted(CAPACITY, values))
    await invalid(send(bench, 'deleteItem', { ...request, ReturnConsumedCapacity: 'NONE' }), counted(values))
  },
})

/** Which of several things that are wrong with a request's members is told, and what beside it. */
export const memberOrderCases: readonly ContractCase[] = [
  ...writes,
  ...reads,
  ...scans,
  ...names,
  ...alone,
  ...deletions,
]
