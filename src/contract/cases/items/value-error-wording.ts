import type { AttributeValue } from '../../../dynamodb/attribute-value.js'
import type { Operation } from '../../../store/port.js'
import { expectInvalidRequest, expectValidationError } from '../../assertions.js'
import { type ContractCase, defineCases } from '../../contract-case.js'
import type { TestBench } from '../../test-bench.js'

type InvalidCall = (bench: TestBench, TableName: string, bad: AttributeValue) => Promise<unknown>

const Key = { pk: { S: 'worded' } }
const FILTER = { FilterExpression: 'a = :v' }
const CONDITION = { ConditionExpression: 'a = :v' }
const withBadValue = (bad: AttributeValue) => ({ ExpressionAttributeValues: { ':v': bad } })
const KEY_CONDITION = { KeyConditionExpression: 'pk = :k' }

/** A request of each operation with an invalid value, by the wording in which the service reports the error. */
const CURRENT: Partial<Record<Operation, InvalidCall>> = {
  getItem: ({ store }, TableName, pk) => store.getItem({ TableName, Key: { pk } }),
  batchGetItem: ({ store }, table, pk) => store.batchGetItem({ RequestItems: { [table]: { Keys: [{ pk }] } } }),
  query: ({ store }, TableName, bad) =>
    store.query({ TableName, ...KEY_CONDITION, ...FILTER, ExpressionAttributeValues: { ':k': Key.pk, ':v': bad } }),
}
const ENVELOPED: Partial<Record<Operation, InvalidCall>> = {
  putItem: ({ store }, TableName, a) => store.putItem({ TableName, Item: { ...Key, a } }),
  updateItem: ({ store }, TableName, bad) =>
    store.updateItem({ TableName, Key, UpdateExpression: 'SET a = :v', ...withBadValue(bad) }),
  deleteItem: ({ store }, TableName, pk) => store.deleteItem({ TableName, Key: { pk } }),
}
const OLDER: Partial<Record<Operation, InvalidCall>> = {
  batchWriteItem: ({ store }, table, a) =>
    store.batchWriteItem({ RequestItems: { [table]: [{ PutRequest: { Item: { ...Key, a } } }] } }),
  transactGetItems: ({ store }, TableName, pk) =>
    store.transactGetItems({ TransactItems: [{ Get: { TableName, Key: { pk } } }] }),
}
/** The older wording names the value in the expression. */
const OLDER_BY_KEY: Partial<Record<Operation, InvalidCall>> = {
  scan: ({ store }, TableName, bad) => store.scan({ TableName, ...FILTER, ...withBadValue(bad) }),
  transactWriteItems: ({ store }, TableName, bad) =>
    store.transactWriteItems({ TransactItems: [{ Delete: { TableName, Key, ...CONDITION, ...withBadValue(bad) } }] }),
}

const INVALID = 'One or more parameter values were invalid: Input collection'
const NOT_NUMERIC = 'The parameter cannot be converted to a numeric value'
const RANGE = 'Attempting to store a number with magnitude'

/** Each invalid value with the messages of the current and of the older validator. */
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

type ExpectWording = (call: Promise<unknown>, current: string, older: string) => Promise<unknown>

function defineWordingCases(
  calls: Partial<Record<Operation, InvalidCall>>,
  expectWording: ExpectWording,
): ContractCase[] {
  return Object.entries(calls).flatMap(([operation, send]) =>
    defineCases(operation as Operation, {
      "an invalid value is rejected in the words of the operation's validator": async bench => {
        const TableName = await bench.sharedTable('hash')
        for (const [bad, current, older] of WORDS) await expectWording(send(bench, TableName, bad), current, older)
      },
    }),
  )
}

/** The service has two validators with different wordings for invalid values. */
export const valueWordingCases = [
  ...defineWordingCases(CURRENT, (call, current) => expectValidationError(call, current)),
  ...defineWordingCases(ENVELOPED, (call, current) => expectInvalidRequest(call, current)),
  ...defineWordingCases(OLDER, (call, _, older) => expectValidationError(call, older)),
  ...defineWordingCases(OLDER_BY_KEY, (call, _, older) =>
    expectValidationError(call, `ExpressionAttributeValues contains invalid value: ${older} for key :v`),
  ),
]
