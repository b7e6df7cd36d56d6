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

/** What JSON can say, and types do not let a program say. */
const nothing = null as never
const NULL_VALUE = 'The supplied Item contains a null AttributeValue'
const refused = (message: string) => expect.objectContaining({ name: 'ValidationException', message })

// In lists the service said so to the AWS SDK for Java in 2019; the rest is as DynamoDB Local 3.3.1 has it.
describe('a null where a value should be', () => {
  it.each([
    ['of an item', { ...Key, a: nothing }, `${NULL_VALUE}: a is null`],
    ['of its key', { id: nothing }, `${NULL_VALUE}: id is null`],
    ['in a map', { ...Key, a: { M: { b: { M: { c: nothing } } } } }, `${NULL_VALUE}: c is null`],
    ['in a list', { ...Key, a: { L: [{ S: 'x' }, nothing] } }, NULL_VALUE],
  ])('is refused %s, by whatever it is put', async (_, Item, message) => {
    await expect(store.putItem({ TableName, Item })).rejects.toEqual(refused(message))
    const RequestItems = { [TableName]: [{ PutRequest: { Item } }] }
    await expect(store.batchWriteItem({ RequestItems })).rejects.toEqual(refused(message))
    const TransactItems = [{ Put: { TableName, Item } }]
    await expect(store.transactWriteItems({ TransactItems })).rejects.toEqual(refused(message))
    expect((await store.scan({ TableName })).Count).toBe(0)
  })

  it('is refused of a key', async () => {
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

  it('is refused for an expression, with the name of the value', async () => {
    const told = (message: string, key: string) =>
      refused(`ExpressionAttributeValues contains invalid value: ${message} for key ${key}`)
    const update = { TableName, Key, UpdateExpression: 'SET a = :v' }
    const values = { ':v': { S: 'x' }, ':w': nothing }
    await expect(store.updateItem({ ...update, ExpressionAttributeValues: values })).rejects.toEqual(
      told(NULL_VALUE, ':w'),
    )
    const inner = { ':v': { M: { b: nothing } } }
    await expect(store.updateItem({ ...update, ExpressionAttributeValues: inner })).rejects.toEqual(
      told(`${NULL_VALUE}: b is null`, ':v'),
    )
    const query = { TableName, KeyConditionExpression: 'id = :v' }
    await store.query({ ...query, ExpressionAttributeValues: { ':v': { S: 'x' } } })
    for (let i = 0; i < 2; i++)
      await expect(store.query({ ...query, ExpressionAttributeValues: { ':v': nothing } })).rejects.toEqual(
        told(NULL_VALUE, ':v'),
      )
  })

  it('is refused by the parameters from before expressions, and by statements', async () => {
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

// That it is refused was seen in 2025; the words are those of DynamoDB Local 3.3.1.
test('a condition that is null is refused', async () => {
  const message = 'The filter condition for an attribute cannot be null: a'
  const KeyConditions = { id: { ComparisonOperator: 'EQ' as const, AttributeValueList: [{ S: 'x' }] } }
  for (const call of [
    store.scan({ TableName, ScanFilter: { a: nothing } }),
    store.query({ TableName, KeyConditions: { a: nothing } }),
    store.query({ TableName, KeyConditions, QueryFilter: { a: nothing } }),
  ])
    await expect(call).rejects.toEqual(refused(message))
})
