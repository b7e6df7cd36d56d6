import { expect, it, vi } from 'vitest'
import { TRANSACT_TOKEN_MS } from '../../../src/dynamodb/limits.js'
import type { TransactWriteItemsInput } from '../../../src/dynamodb/operation-types.js'
import { memory } from '../../../src/engine/index.js'
import { newMemoryKeyValues } from '../../../src/engine/keyvalues/memory-key-values.js'
import { REMOVAL_BATCH_SIZE } from '../../../src/engine/removal-batch.js'
import { IdempotencyTokens } from '../../../src/engine/transactions/idempotency-tokens.js'
import type { StoredItem } from '../../../src/engine/values/stored-item.js'

const KEY = { pk: { S: 'counter' } }

/** Creates a table with a counter and a clock that advances only when it is set. */
async function counterWithClock() {
  const clock = { ms: Date.UTC(2026, 0, 1) }
  const store = memory({ now: () => clock.ms })
  await store.createTable({
    TableName: 'counters',
    AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
    KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
    BillingMode: 'PAY_PER_REQUEST',
  })
  const send = (request: Partial<TransactWriteItemsInput>, amount = '1') => {
    const ExpressionAttributeValues = { ':n': { N: amount } }
    const Update = { TableName: 'counters', Key: KEY, UpdateExpression: 'ADD n :n', ExpressionAttributeValues }
    return store.transactWriteItems({ ClientRequestToken: 'token', TransactItems: [{ Update }], ...request })
  }
  const add = (ClientRequestToken: string, amount?: string) => send({ ClientRequestToken }, amount)
  const count = async () => (await store.getItem({ TableName: 'counters', Key: KEY })).Item?.n?.N
  return { store, clock, add, send, count }
}

const MISMATCH = { name: 'IdempotentParameterMismatchException' }

// As observed in us-east-1 in September 2026.
it('the requested reports are part of the request of a token', async () => {
  const { send, count } = await counterWithClock()
  await send({ ReturnConsumedCapacity: 'INDEXES' })
  for (const ReturnConsumedCapacity of ['TOTAL', 'NONE'] as const)
    await expect(send({ ReturnConsumedCapacity })).rejects.toMatchObject(MISMATCH)
  const metrics = { ReturnConsumedCapacity: 'INDEXES', ReturnItemCollectionMetrics: 'SIZE' } as const
  await expect(send(metrics)).rejects.toMatchObject(MISMATCH)
  await send({ ReturnConsumedCapacity: 'INDEXES', ReturnItemCollectionMetrics: 'NONE' })
  expect(await count()).toBe('1')
})

it('requesting no reports equals omitting the parameters', async () => {
  const { send } = await counterWithClock()
  await send({})
  await send({ ReturnConsumedCapacity: 'NONE', ReturnItemCollectionMetrics: 'NONE' })
  await expect(send({ ReturnConsumedCapacity: 'TOTAL' })).rejects.toMatchObject(MISMATCH)
})

it('the requested reports are part of a token for statements too', async () => {
  const { store } = await counterWithClock()
  const run = (ReturnConsumedCapacity: 'INDEXES' | 'TOTAL') =>
    store.executeTransaction({
      ClientRequestToken: 'token',
      TransactStatements: [{ Statement: `INSERT INTO counters VALUE {'pk': 'a'}` }],
      ReturnConsumedCapacity,
    })
  await run('INDEXES')
  await run('INDEXES')
  await expect(run('TOTAL')).rejects.toMatchObject(MISMATCH)
})

it('numbers are compared by value', async () => {
  const { send, count } = await counterWithClock()
  await send({})
  for (const amount of ['1.0', '1e0', '01', '+1']) await send({}, amount)
  await expect(send({}, '1.01')).rejects.toMatchObject(MISMATCH)
  expect(await count()).toBe('1')
})

it('numbers in sets are compared by value, and attributes named like types by their text', async () => {
  const { store } = await counterWithClock()
  const put = (first: string, text: string) => {
    const Item = { ...KEY, numbers: { NS: [first, '2'] }, N: { S: text }, NS: { L: [{ S: text }] } }
    const TransactItems = [{ Put: { TableName: 'counters', Item } }]
    return store.transactWriteItems({ ClientRequestToken: 'token', TransactItems })
  }
  await put('1', 'a')
  await put('1.0', 'a')
  await expect(put('1', 'b')).rejects.toMatchObject(MISMATCH)
  await expect(put('1.5', 'a')).rejects.toMatchObject(MISMATCH)
})

it('trailing blanks of a statement are ignored, and its numbers are compared by value', async () => {
  const { store } = await counterWithClock()
  const run = (end: string, N: string) =>
    store.executeTransaction({
      ClientRequestToken: 'token',
      TransactStatements: [{ Statement: `INSERT INTO counters VALUE {'pk': 'a', 'n': ?}${end}`, Parameters: [{ N }] }],
    })
  await run('', '1')
  await run(' ', '1.0')
  await expect(run('', '2')).rejects.toMatchObject(MISMATCH)
})

/** A transaction that is cancelled while an item with its key exists. */
const creating = (n: string) => ({
  ClientRequestToken: 'token',
  TransactItems: [
    {
      Put: {
        TableName: 'counters',
        Item: { ...KEY, n: { N: n } },
        ConditionExpression: 'attribute_not_exists(pk)',
      },
    },
  ],
  ReturnConsumedCapacity: 'TOTAL' as const,
})
const CANCELLED = { name: 'TransactionCanceledException' }
const spent = (direction: 'Read' | 'Write') => ({
  ConsumedCapacity: [{ TableName: 'counters', CapacityUnits: 2, [`${direction}CapacityUnits`]: 2 }],
})

it('the token of a cancelled transaction is bound to this transaction', async () => {
  const { store, clock } = await counterWithClock()
  await store.putItem({ TableName: 'counters', Item: KEY })
  await expect(store.transactWriteItems(creating('1'))).rejects.toMatchObject(CANCELLED)
  await expect(store.transactWriteItems(creating('1'))).rejects.toMatchObject(CANCELLED)
  await store.deleteItem({ TableName: 'counters', Key: KEY })
  await expect(store.transactWriteItems(creating('2'))).rejects.toMatchObject(MISMATCH)
  expect(await store.transactWriteItems(creating('1'))).toEqual(spent('Write'))
  expect(await store.transactWriteItems(creating('1'))).toEqual(spent('Read'))
  clock.ms += TRANSACT_TOKEN_MS
  await expect(store.transactWriteItems(creating('2'))).rejects.toMatchObject(CANCELLED)
})

it('the token of cancelled statements is bound to these statements', async () => {
  const { store } = await counterWithClock()
  const insert = (pk: string) =>
    store.executeTransaction({
      ClientRequestToken: 'token',
      TransactStatements: [{ Statement: `INSERT INTO counters VALUE {'pk': '${pk}'}` }],
    })
  await store.putItem({ TableName: 'counters', Item: KEY })
  await expect(insert(KEY.pk.S)).rejects.toMatchObject(CANCELLED)
  await expect(insert('another')).rejects.toMatchObject(MISMATCH)
  await store.deleteItem({ TableName: 'counters', Key: KEY })
  await insert(KEY.pk.S)
})

it('the token of an invalid request is free for any request', async () => {
  const { send, count } = await counterWithClock()
  await expect(send({ TransactItems: [{}] })).rejects.toMatchObject({ name: 'ValidationException' })
  await send({})
  expect(await count()).toBe('1')
})

it('an expired token has no effect on later requests', async () => {
  const { store, clock } = await counterWithClock()
  await store.putItem({ TableName: 'counters', Item: KEY })
  await expect(store.transactWriteItems(creating('1'))).rejects.toMatchObject(CANCELLED)
  await store.deleteItem({ TableName: 'counters', Key: KEY })
  clock.ms += TRANSACT_TOKEN_MS - 1
  await store.transactWriteItems(creating('1'))
  await store.deleteItem({ TableName: 'counters', Key: KEY })
  clock.ms += 2
  expect(await store.transactWriteItems(creating('2'))).toEqual(spent('Write'))
  clock.ms += TRANSACT_TOKEN_MS - 1
  expect(await store.transactWriteItems(creating('2'))).toEqual(spent('Read'))
})

it('a token is valid until just before its ten minutes are over', async () => {
  const { clock, add, count } = await counterWithClock()
  await add('token')
  clock.ms += TRANSACT_TOKEN_MS - 1
  await add('token')
  expect(await count()).toBe('1')
})

it('the same transaction runs again after ten minutes', async () => {
  const { clock, add, count } = await counterWithClock()
  await add('token')
  clock.ms += TRANSACT_TOKEN_MS
  await add('token')
  expect(await count()).toBe('2')
})

it('a token can be used for another request after ten minutes', async () => {
  const { clock, add, count } = await counterWithClock()
  await add('token')
  clock.ms += TRANSACT_TOKEN_MS - 1
  await expect(add('token', '5')).rejects.toMatchObject({ name: 'IdempotentParameterMismatchException' })
  clock.ms += 1
  await add('token', '5')
  expect(await count()).toBe('6')
})

it('repeating a request does not extend its token', async () => {
  const { clock, add, count } = await counterWithClock()
  await add('token')
  clock.ms += TRANSACT_TOKEN_MS - 1
  await add('token')
  clock.ms += 1
  await add('token')
  expect(await count()).toBe('2')
})

it('each token has its own validity', async () => {
  const { clock, add, count } = await counterWithClock()
  await add('early')
  clock.ms += TRANSACT_TOKEN_MS / 2
  await add('late')
  clock.ms += TRANSACT_TOKEN_MS / 2
  await add('late')
  expect(await count()).toBe('2')
  await add('early')
  expect(await count()).toBe('3')
})

/** Creates more expired tokens than one call removes, the last of them `late`. */
function tokensThatAreOver() {
  const space = newMemoryKeyValues<StoredItem>().space('tokens')
  const tokens = new IdempotencyTokens(space)
  for (let i = 0; i < REMOVAL_BATCH_SIZE; i++) tokens.remember({ token: `early ${i}`, digest: '' }, [], 0)
  tokens.remember({ token: 'late', digest: '' }, [], 1)
  return { tokens, removed: vi.spyOn(space, 'remove') }
}

it('one transaction removes only a batch of many expired tokens', () => {
  const { tokens, removed } = tokensThatAreOver()
  expect(tokens.findRepeated({ token: 'another', digest: '' }, TRANSACT_TOKEN_MS + 1)).toBeUndefined()
  expect(removed).toHaveBeenCalledTimes(2 * REMOVAL_BATCH_SIZE)
  tokens.findRepeated({ token: 'another', digest: '' }, TRANSACT_TOKEN_MS + 1)
  expect(removed).toHaveBeenCalledTimes(2 * REMOVAL_BATCH_SIZE + 2)
})

it('an expired token is ignored even if others must be removed before it', () => {
  const { tokens } = tokensThatAreOver()
  const late = { token: 'late', digest: 'another' }
  expect(tokens.findRepeated(late, TRANSACT_TOKEN_MS + 1)).toBeUndefined()
  tokens.remember(late, [], TRANSACT_TOKEN_MS + 1)
  expect(tokens.findRepeated(late, TRANSACT_TOKEN_MS + 2)).toEqual([])
})
