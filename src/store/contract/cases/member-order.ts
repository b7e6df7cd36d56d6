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

const reads = (['query', 'scan'] as const).flatMap(operation =>
  cases(operation, {
    'what joins conditions is looked at only where there are some': async bench => {
      const filter = operation === 'query' ? 'QueryFilter' : 'ScanFilter'
      const TableName = bench.ownName()
      const refuses = (more: object, words: string) =>
        invalid(send(bench, operation, { TableName, ConditionalOperator: 'XOR', ...more }), words)
      const isNull = { ComparisonOperator: 'NULL' }
      await refuses({}, NOTHING_JOINED)
      await refuses({ [filter]: { a: isNull } }, ONE_JOINED)
      await refuses({ [filter]: { a: isNull, b: isNull } }, NO_JOIN)
    },

    'a wrong Select is told when all else is right': async bench => {
      const select = enumerated('select', 'SPECIFIC_ATTRIBUTES, COUNT, ALL_ATTRIBUTES, ALL_PROJECTED_ATTRIBUTES')
      const TableName = bench.ownName()
      await invalid(send(bench, operation, { TableName, Select: 'x' }), counted(select))
      const wrong = { TableName, Select: 'x', ReturnConsumedCapacity: 'x' }
      await invalid(send(bench, operation, wrong), counted(CAPACITY))
      const isNull = { ComparisonOperator: 'NULL' }
      const filter = { [operation === 'query' ? 'QueryFilter' : 'ScanFilter']: { a: isNull, b: isNull } }
      const refuses = (more: object, words: string | RegExp) =>
        invalid(send(bench, operation, { TableName, Select: 'x', ...filter, ...more }), words)
      await refuses({ ConditionalOperator: 'XOR' }, NO_JOIN)
      await refuses({ FilterExpression: 'c = :c' }, /^Can not use both expression and non-expression parameters/)
      await refuses({}, counted(select))
    },
  }),
)

const names = (['putItem', 'deleteItem', 'getItem', 'query', 'scan'] as const).flatMap(operation =>
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
export const memberOrderCases: readonly ContractCase[] = [...writes, ...reads, ...names, ...alone, ...deletions]
