import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { type MemoryOptions, memory } from '../../../src/engine/index.js'
import { retrying } from '../../../src/store/retry.js'
import { request } from '../tables.js'

const TableName = 'Orders'
const Key = { pk: { S: 'a' } }
const CONFLICT = { name: 'TransactionConflictException', message: 'Transaction is ongoing for the item' }

/** Creates a store with a settable clock. */
async function conflicting(options: MemoryOptions = { conflicts: 50 }) {
  const clock = { ms: Date.UTC(2026, 0, 1) }
  const store = memory({ now: () => clock.ms, ...options })
  await store.createTable(request())
  const add = (...names: string[]) => ({
    TransactItems: names.map(name => ({
      Update: {
        TableName,
        Key: { pk: { S: name } },
        UpdateExpression: 'ADD n :one',
        ExpressionAttributeValues: { ':one': { N: '1' } },
      },
    })),
  })
  const count = async (name: string) => (await store.getItem({ TableName, Key: { pk: { S: name } } })).Item?.n?.N
  return { clock, store, add, count }
}

describe('conflicts with a transaction in progress', () => {
  it('every other write of its items is rejected without effect', async () => {
    const { clock, store, add, count } = await conflicting()
    await store.transactWriteItems(add('a', 'b'))
    const writes = () => [
      store.putItem({ TableName, Item: Key }),
      store.updateItem({ TableName, Key }),
      store.deleteItem({ TableName, Key }),
      store.executeStatement({ Statement: `DELETE FROM "Orders" WHERE pk = 'a'` }),
    ]
    for (const write of writes()) await expect(write).rejects.toMatchObject(CONFLICT)
    expect(await count('a')).toBe('1')
    await store.putItem({ TableName, Item: { pk: { S: 'c' } } })
    clock.ms += 50
    await Promise.all(writes())
    expect(await count('a')).toBeUndefined()
  })

  it('another transaction with one of its items is cancelled with the item as the reason', async () => {
    const { clock, store, add, count } = await conflicting()
    await store.transactWriteItems(add('a', 'b'))
    await expect(store.transactWriteItems(add('c', 'b'))).rejects.toMatchObject({
      name: 'TransactionCanceledException',
      message:
        'Transaction cancelled, please refer cancellation reasons for specific reasons [None, TransactionConflict]',
      CancellationReasons: [
        { Code: 'None' },
        { Code: 'TransactionConflict', Message: 'Transaction is ongoing for the item' },
      ],
    })
    const statements = ['a', 'c'].map(name => ({ Statement: `INSERT INTO "Orders" VALUE {'pk': '${name}'}` }))
    await expect(store.executeTransaction({ TransactStatements: statements })).rejects.toMatchObject({
      CancellationReasons: [{ Code: 'TransactionConflict' }, { Code: 'None' }],
    })
    clock.ms += 50
    await store.transactWriteItems(add('c', 'b'))
    expect([await count('b'), await count('c')]).toEqual(['2', '1'])
  })

  it('an item that a transaction only checks is locked too', async () => {
    const { store } = await conflicting()
    const ConditionCheck = { TableName, Key, ConditionExpression: 'attribute_not_exists(pk)' }
    await store.transactWriteItems({
      TransactItems: [{ ConditionCheck }, { Put: { TableName, Item: { pk: { S: 'b' } } } }],
    })
    await expect(store.putItem({ TableName, Item: Key })).rejects.toMatchObject(CONFLICT)
  })

  it('transactional reads are cancelled, and other reads are not', async () => {
    const { clock, store, add, count } = await conflicting()
    await store.transactWriteItems(add('a'))
    const read = () => store.transactGetItems({ TransactItems: [{ Get: { TableName, Key } }] })
    await expect(read()).rejects.toMatchObject({ CancellationReasons: [{ Code: 'TransactionConflict' }] })
    const Statement = `SELECT * FROM "Orders" WHERE pk = 'a'`
    await expect(store.executeTransaction({ TransactStatements: [{ Statement }] })).rejects.toMatchObject({
      CancellationReasons: [{ Code: 'TransactionConflict' }],
    })
    expect([await count('a'), (await store.scan({ TableName })).Count]).toEqual(['1', 1])
    clock.ms += 50
    expect((await read()).Responses).toHaveLength(1)
  })

  it('a batch leaves the conflicting items unprocessed', async () => {
    const { store, add, count } = await conflicting()
    await store.transactWriteItems(add('a'))
    const [held, free] = [{ PutRequest: { Item: Key } }, { DeleteRequest: { Key: { pk: { S: 'b' } } } }]
    const answer = await store.batchWriteItem({ RequestItems: { [TableName]: [held, free] } })
    expect(answer.UnprocessedItems).toEqual({ [TableName]: [held] })
    expect(await count('a')).toBe('1')
    const Statements = [`DELETE FROM "Orders" WHERE pk = 'a'`, `INSERT INTO "Orders" VALUE {'pk': 'd'}`]
    const { Responses } = await store.batchExecuteStatement({
      Statements: Statements.map(Statement => ({ Statement })),
    })
    expect(Responses).toEqual([
      { TableName, Error: { Code: 'TransactionConflict', Message: 'Transaction is ongoing for the item' } },
      { TableName },
    ])
  })

  it('the same token is rejected as in progress, and later recognized as done', async () => {
    const { clock, store, add, count } = await conflicting()
    const once = () => store.transactWriteItems({ ...add('a'), ClientRequestToken: 'once' })
    await once()
    await expect(once()).rejects.toMatchObject({
      name: 'TransactionInProgressException',
      message: 'Transaction from previous request is still in progress',
    })
    clock.ms += 50
    await once()
    expect(await count('a')).toBe('1')
  })
})

describe('the duration of transactions', () => {
  it('the duration depends on the seed and stays within its limits', async () => {
    const heldMs = async (seed: number) => {
      const { clock, store, add } = await conflicting({ conflicts: { ms: 10, jitterMs: 90 }, seed })
      const times: number[] = []
      for (let i = 0; i < 20; i++) {
        await store.transactWriteItems(add('a'))
        let ms = 0
        while (
          await store
            .updateItem({ TableName, Key })
            .catch(() => 'held')
            .then(answer => answer === 'held')
        ) {
          clock.ms++
          ms++
        }
        times.push(ms)
      }
      return times
    }
    const times = await heldMs(1)
    expect(times).toEqual(await heldMs(1))
    expect(times).not.toEqual(await heldMs(2))
    expect(Math.min(...times)).toBeGreaterThanOrEqual(10)
    expect(Math.max(...times)).toBeLessThanOrEqual(100)
    expect(new Set(times).size).toBeGreaterThan(5)
  })

  it('a cancelled transaction has no duration', async () => {
    const { store } = await conflicting()
    const ConditionExpression = 'attribute_exists(pk)'
    await expect(
      store.transactWriteItems({ TransactItems: [{ Put: { TableName, Item: Key, ConditionExpression } }] }),
    ).rejects.toMatchObject({ name: 'TransactionCanceledException' })
    await store.putItem({ TableName, Item: Key })
  })

  it('with the clock of the machine only overlapping calls conflict', async () => {
    vi.useFakeTimers()
    onTestFinished(() => void vi.useRealTimers())
    const store = memory({ conflicts: 50 })
    await store.createTable(request())
    const put = () => store.transactWriteItems({ TransactItems: [{ Put: { TableName, Item: Key } }] })
    const twice = put().then(put)
    await vi.advanceTimersByTimeAsync(100)
    await twice
    const both = Promise.allSettled([put(), put()])
    await vi.advanceTimersByTimeAsync(50)
    expect((await both).map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
    const patient = retrying(store)
    const together = Promise.all([put(), patient.updateItem({ TableName, Key })])
    await vi.advanceTimersByTimeAsync(1000)
    await together
  })
})
