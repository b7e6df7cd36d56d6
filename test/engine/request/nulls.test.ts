import { beforeAll, describe, expect, it, test } from 'vitest'
import { memory } from '../../../src/engine/index.js'

const store = memory()
const Key = { id: { S: 'a' } }
const TableName = 'things'
beforeAll(() =>
  store.createTable({
    TableName,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
    KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
  }),
)

/** Null is valid JSON here but not in the types. */
const nothing = null as never
const NULL_VALUE = 'The supplied Item contains a null AttributeValue'
const refused = (message: string) => expect.objectContaining({ name: 'ValidationException', message })

// For lists, the service answered so to the AWS SDK for Java in 2019; the others as DynamoDB Local 3.3.1 does.
describe('null in place of a value', () => {
  it.each([
    ['of an item', { ...Key, a: nothing }, `${NULL_VALUE}: a is null`],
    ['of its key', { id: nothing }, `${NULL_VALUE}: id is null`],
    ['in a map', { ...Key, a: { M: { b: { M: { c: nothing } } } } }, `${NULL_VALUE}: c is null`],
    ['in a list', { ...Key, a: { L: [{ S: 'x' }, nothing] } }, NULL_VALUE],
  ])('a null %s is rejected by every kind of put', async (_, Item, message) => {
    await expect(store.putItem({ TableName, Item })).rejects.toEqual(refused(message))
    const RequestItems = { [TableName]: [{ PutRequest: { Item } }] }
    await expect(store.batchWriteItem({ RequestItems })).rejects.toEqual(refused(message))
    const TransactItems = [{ Put: { TableName, Item } }]
    await expect(store.transactWriteItems({ TransactItems })).rejects.toEqual(refused(message))
    expect((await store.scan({ TableName })).Count).toBe(0)
  })

  it('a null in a key is rejected', async () => {
    const request = { TableName, Key: { ...Key, a: nothing } }
    const reads = { RequestItems: { [TableName]: { Keys: [request.Key] } } }
    for (const call of [
      store.getItem(request),
      store.updateItem(request),
      store.deleteItem(request),
      store.batchGetItem(reads),
      store.transactGetItems({ TransactItems: [{ Get: request }] }),
    ])
      await expect(call).rejects.toEqual(refused(`${NULL_VALUE}: a is null`))
    await expect(store.scan({ TableName, ExclusiveStartKey: request.Key })).rejects.toThrow(`${NULL_VALUE}: a is null`)
  })

  it('a null in a value of an expression is rejected with the name of the value', async () => {
    const errorFor = (message: string, key: string) =>
      refused(`ExpressionAttributeValues contains invalid value: ${message} for key ${key}`)
    const update = { TableName, Key, UpdateExpression: 'SET a = :v' }
    const values = { ':v': { S: 'x' }, ':w': nothing }
    await expect(store.updateItem({ ...update, ExpressionAttributeValues: values })).rejects.toEqual(
      errorFor(NULL_VALUE, ':w'),
    )
    const inner = { ':v': { M: { b: nothing } } }
    await expect(store.updateItem({ ...update, ExpressionAttributeValues: inner })).rejects.toEqual(
      errorFor(`${NULL_VALUE}: b is null`, ':v'),
    )
    const query = { TableName, KeyConditionExpression: 'id = :v' }
    await store.query({ ...query, ExpressionAttributeValues: { ':v': { S: 'x' } } })
    for (let i = 0; i < 2; i++)
      await expect(store.query({ ...query, ExpressionAttributeValues: { ':v': nothing } })).rejects.toEqual(
        errorFor(NULL_VALUE, ':v'),
      )
  })

  it('a null is rejected in legacy parameters and statements', async () => {
    const EQ = { ComparisonOperator: 'EQ' as const, AttributeValueList: [nothing] }
    const AttributeUpdates = { a: { Value: { L: [nothing] } } }
    for (const call of [
      store.scan({ TableName, ScanFilter: { a: EQ } }),
      store.putItem({ TableName, Item: Key, Expected: { a: EQ } }),
      store.updateItem({ TableName, Key, AttributeUpdates }),
      store.executeStatement({ Statement: `SELECT * FROM "${TableName}" WHERE id = ?`, Parameters: [nothing] }),
    ])
      await expect(call).rejects.toEqual(refused(NULL_VALUE))
  })
})

// For texts the service's message is known. For bytes it was observed while empty ones were rejected, and for numbers
// it is observed where a statement spells the set.
describe('null in a set', () => {
  const INVALID = 'One or more parameter values were invalid: '
  const SETS: [{ [type: string]: unknown[] }, string][] = [
    [{ SS: ['a', null] }, `${INVALID}An string set may not have a null string as a member`],
    [{ NS: ['1', null] }, `${INVALID}Numeric sets may not contain null`],
    [{ BS: [Uint8Array.of(1), null] }, `${INVALID}Binary sets may not contain null or empty values`],
  ]
  it('an undefined member of a set is rejected like null', async () => {
    const a = { SS: ['a', undefined] } as never
    await expect(store.putItem({ TableName, Item: { ...Key, a } })).rejects.toEqual(refused(SETS[0]![1]))
  })

  const PLACES: ((set: object) => object)[] = [set => set, set => ({ L: [set] }), set => ({ M: { b: set } })]

  it.each(SETS)('a set is rejected as %o by every kind of write and read', async (set, message) => {
    for (const place of PLACES) {
      const a = place(set) as never
      const request = { TableName, Key: { id: a } }
      for (const call of [
        store.putItem({ TableName, Item: { ...Key, a } }),
        store.batchWriteItem({ RequestItems: { [TableName]: [{ PutRequest: { Item: { ...Key, a } } }] } }),
        store.transactWriteItems({ TransactItems: [{ Put: { TableName, Item: { ...Key, a } } }] }),
        store.getItem(request),
        store.deleteItem(request),
        store.updateItem({ TableName, Key, AttributeUpdates: { a: { Value: a } } }),
      ])
        await expect(call).rejects.toEqual(refused(message))
    }
    expect((await store.scan({ TableName })).Count).toBe(0)
  })

  it.each(SETS)(
    'a set is rejected as %o in a value of an expression, with the name of the value',
    async (set, message) => {
      const rejection = refused(`ExpressionAttributeValues contains invalid value: ${message} for key :v`)
      const ExpressionAttributeValues = { ':v': set as never }
      const update = { TableName, Key, UpdateExpression: 'SET a = :v', ExpressionAttributeValues }
      await expect(store.updateItem(update)).rejects.toEqual(rejection)
      await expect(store.transactWriteItems({ TransactItems: [{ Update: update }] })).rejects.toEqual(rejection)
      await expect(store.scan({ TableName, FilterExpression: 'a = :v', ExpressionAttributeValues })).rejects.toEqual(
        rejection,
      )
    },
  )
})

// The rejection was observed in 2025; the message is that of DynamoDB Local 3.3.1.
test('a null condition is rejected', async () => {
  const message = 'The filter condition for an attribute cannot be null: a'
  const KeyConditions = { id: { ComparisonOperator: 'EQ' as const, AttributeValueList: [{ S: 'x' }] } }
  for (const call of [
    store.scan({ TableName, ScanFilter: { a: nothing } }),
    store.query({ TableName, KeyConditions: { a: nothing } }),
    store.query({ TableName, KeyConditions, QueryFilter: { a: nothing } }),
  ])
    await expect(call).rejects.toEqual(refused(message))
})
