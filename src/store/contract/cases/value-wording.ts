import type { AttributeValue } from '../../../dynamodb/attribute-value.js'
import type { Operation } from '../../port.js'
import type { Bench } from '../bench.js'
import { type ContractCase, cases } from '../case.js'
import { invalid, invalidRequest } from '../expect.js'

type Send = (bench: Bench, TableName: string, bad: AttributeValue) => Promise<unknown>

const Key = { pk: { S: 'worded' } }
const filtered = { FilterExpression: 'a = :v' }
const conditional = { ConditionExpression: 'a = :v' }
const given = (bad: AttributeValue) => ({ ExpressionAttributeValues: { ':v': bad } })
const keyed = { KeyConditionExpression: 'pk = :k' }

/** A request of each operation with a bad value in it, by the words in which the service tells of it. */
const CURRENT: Partial<Record<Operation, Send>> = {
  getItem: ({ store }, TableName, pk) => store.getItem({ TableName, Key: { pk } }),
  batchGetItem: ({ store }, table, pk) => store.batchGetItem({ RequestItems: { [table]: { Keys: [{ pk }] } } }),
  query: ({ store }, TableName, bad) =>
    store.query({ TableName, ...keyed, ...filtered, ExpressionAttributeValues: { ':k': Key.pk, ':v': bad } }),
}
const ENVELOPED: Partial<Record<Operation, Send>> = {
  putItem: ({ store }, TableName, a) => store.putItem({ TableName, Item: { ...Key, a } }),
  updateItem: ({ store }, TableName, bad) =>
    store.updateItem({ TableName, Key, UpdateExpression: 'SET a = :v', ...given(bad) }),
  deleteItem: ({ store }, TableName, pk) => store.deleteItem({ TableName, Key: { pk } }),
}
const OLDER: Partial<Record<Operation, Send>> = {
  batchWriteItem: ({ store }, table, a) =>
    store.batchWriteItem({ RequestItems: { [table]: [{ PutRequest: { Item: { ...Key, a } } }] } }),
  transactGetItems: ({ store }, TableName, pk) =>
    store.transactGetItems({ TransactItems: [{ Get: { TableName, Key: { pk } } }] }),
}
/** The older words tell which value of an expression it is. */
const OLDER_BY_KEY: Partial<Record<Operation, Send>> = {
  scan: ({ store }, TableName, bad) => store.scan({ TableName, ...filtered, ...given(bad) }),
  transactWriteItems: ({ store }, TableName, bad) =>
    store.transactWriteItems({ TransactItems: [{ Delete: { TableName, Key, ...conditional, ...given(bad) } }] }),
}

const INVALID = 'One or more parameter values were invalid: Input collection'
const NOT_NUMERIC = 'The parameter cannot be converted to a numeric value'
const RANGE = 'Attempting to store a number with magnitude'

/** Each bad value with what the current and the older validator say of it. */
const WORDS: [bad: AttributeValue, current: string, older: string][] = [
  [{ N: 'one' }, `${NOT_NUMERIC}: one`, `${NOT_NUMERIC}: one`],
  [{ N: '' }, `${NOT_NUMERIC}: `, NOT_NUMERIC],
  [
    { N: '1e2147483647' },
    `Number overflow. ${RANGE} larger than supported range`,
    `Number underflow. ${RANGE} smaller than supported range`,
  ],
  [{ N: '1e-2147483648' }, `Number underflow. ${RANGE} smaller than supported range`, `${NOT_NUMERIC}: 1e-2147483648`],
  [
    { SS: ['b', 'a', 'b'] },
    `${INVALID} ["a", "b", "b"] contains duplicates.`,
    `${INVALID} [b, a, b] contains duplicates.`,
  ],
  [{ NS: ['2', '1', '2'] }, `${INVALID} contains duplicates.`, 'Input collection contains duplicates'],
]

type Tell = (call: Promise<unknown>, current: string, older: string) => Promise<unknown>

function worded(sends: Partial<Record<Operation, Send>>, tell: Tell): ContractCase[] {
  return Object.entries(sends).flatMap(([operation, send]) =>
    cases(operation as Operation, {
      'a value that could not be stored is refused in the words of the validator that the operation has':
        async bench => {
          const TableName = await bench.table('hash')
          for (const [bad, current, older] of WORDS) await tell(send(bench, TableName, bad), current, older)
        },
    }),
  )
}

/** The service has two validators, which word faults of values differently. */
export const valueWordingCases = [
  ...worded(CURRENT, (call, current) => invalid(call, current)),
  ...worded(ENVELOPED, (call, current) => invalidRequest(call, current)),
  ...worded(OLDER, (call, _, older) => invalid(call, older)),
  ...worded(OLDER_BY_KEY, (call, _, older) =>
    invalid(call, `ExpressionAttributeValues contains invalid value: ${older} for key :v`),
  ),
]
