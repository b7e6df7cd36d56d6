import { describe, expect, it } from 'vitest'
import { memory } from '../../src/engine/memory.js'
import { failureKindOf } from '../../src/store/failure-kind.js'
import type { Store } from '../../src/store/port.js'
import { retrying } from '../../src/store/retry.js'
import { Crashed, type FaultKind, type FaultyOptions, faulty } from '../../src/testing.js'
import { VirtualClock } from './scripted-store.js'

const TableName = 'things'

async function table(): Promise<Store> {
  const store = memory()
  await store.createTable({
    TableName,
    KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
    AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
    BillingMode: 'PAY_PER_REQUEST',
  })
  return store
}

const item = (id: string) => ({ id: { S: id } })
const put = (store: Store, id: string) => store.putItem({ TableName, Item: item(id) })
const transact = (store: Store, ids: readonly string[], ClientRequestToken?: string) =>
  store.transactWriteItems({
    TransactItems: ids.map(id => ({ Put: { TableName, Item: item(id) } })),
    ...(ClientRequestToken !== undefined && { ClientRequestToken }),
  })
const ids = async (store: Store) => (await store.scan({ TableName })).Items!.map(({ id }) => id!.S).sort()
const failed = (call: Promise<unknown>) =>
  call.then(
    () => undefined,
    error => error,
  )

/** A store in which every applicable call has this fault. */
async function always(kind: Exclude<FaultKind, 'crashed'>, options: Partial<FaultyOptions> = {}) {
  const inner = await table()
  return { inner, store: faulty(inner, { seed: 1, ...options, rates: { [kind]: 1 } }) }
}

describe('an injected fault', () => {
  it('an injected throttle rejects before anything is applied', async () => {
    const { inner, store } = await always('throttled')
    const error = await failed(put(store, 'a'))
    expect(error).toMatchObject({
      name: 'ProvisionedThroughputExceededException',
      $fault: 'client',
      $metadata: { httpStatusCode: 400 },
    })
    expect(failureKindOf(error)).toBe('refused')
    expect(await ids(inner)).toEqual([])
    expect(store.faults).toEqual([{ call: 1, operation: 'putItem', kind: 'throttled', done: false }])
  })

  it('an injected lost response follows an applied request', async () => {
    const { inner, store } = await always('lost')
    const error = await failed(put(store, 'a'))
    expect(error).toMatchObject({ code: 'ECONNRESET', message: 'socket hang up' })
    expect(failureKindOf(error)).toBe('unknown')
    expect(await ids(inner)).toEqual(['a'])
    expect(store.faults).toEqual([{ call: 1, operation: 'putItem', kind: 'lost', done: true }])
  })

  it('an injected lost request has the same error as a lost response', async () => {
    const { inner, store } = await always('unsent')
    const error = await failed(put(store, 'a'))
    expect(error).toEqual(await failed(put((await always('lost')).store, 'a')))
    expect(await ids(inner)).toEqual([])
  })

  it('an injected service failure leaves the request applied or not', async () => {
    const { inner, store } = await always('failed')
    const names = Array.from({ length: 20 }, (_, i) => `item${i}`)
    for (const name of names) {
      const error = await failed(put(store, name))
      expect(error).toMatchObject({ name: 'InternalServerError', $fault: 'server', $metadata: { httpStatusCode: 500 } })
      expect(failureKindOf(error)).toBe('unknown')
    }
    const done = names.filter((_, i) => store.faults[i]!.done)
    expect(await ids(inner)).toEqual(done.sort())
    expect(done.length).toBeGreaterThan(0)
    expect(done.length).toBeLessThan(20)
  })

  it('an injected conflict rejects a single write', async () => {
    const { inner, store } = await always('conflict')
    const error = await failed(put(store, 'a'))
    expect(error).toMatchObject({ name: 'TransactionConflictException', $metadata: { httpStatusCode: 400 } })
    expect(failureKindOf(error)).toBe('refused')
    await store.getItem({ TableName, Key: item('a') })
    expect(await ids(inner)).toEqual([])
  })

  it('an injected conflict cancels a transaction with a reason for each action', async () => {
    const { inner, store } = await always('conflict')
    const error = await failed(transact(store, ['a', 'b', 'c']))
    expect(error.name).toBe('TransactionCanceledException')
    const codes = error.CancellationReasons.map(({ Code }: { Code: string }) => Code)
    expect(codes).toHaveLength(3)
    expect(codes).toContain('TransactionConflict')
    expect(error.message).toBe(
      `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes.join(', ')}]`,
    )
    expect(failureKindOf(error)).toBe('refused')
    expect(await ids(inner)).toEqual([])
  })

  it('an injected token conflict happens only for a token that was sent before', async () => {
    const { inner, store } = await always('inProgress')
    await transact(store, ['a'], 'one')
    const error = await failed(transact(store, ['a'], 'one'))
    expect(error.name).toBe('TransactionInProgressException')
    expect(failureKindOf(error)).toBe('refused')
    await transact(store, ['b'], 'two')
    await transact(store, ['c'])
    expect(await ids(inner)).toEqual(['a', 'b', 'c'])
  })

  it("a request that the store rejects permanently keeps the store's error", async () => {
    const { store } = await always('lost')
    const error = await failed(store.putItem({ TableName: 'absent', Item: item('a') }))
    expect(error.name).toBe('ResourceNotFoundException')
  })
})

describe('an injected partial batch', () => {
  it('an injected partial batch read leaves keys unprocessed with their read options and returns the others', async () => {
    const { inner, store } = await always('unprocessed')
    for (const id of ['a', 'b', 'c', 'd']) await put(inner, id)
    const Keys = ['a', 'b', 'c', 'd'].map(item)
    const answer = await store.batchGetItem({ RequestItems: { [TableName]: { Keys, ConsistentRead: true } } })
    const left = answer.UnprocessedKeys![TableName]!
    expect(left.ConsistentRead).toBe(true)
    expect(left.Keys!.length).toBeGreaterThan(0)
    expect(answer.Responses![TableName]!.length).toBeGreaterThan(0)
    const all = [...left.Keys!, ...answer.Responses![TableName]!].map(({ id }) => id!.S)
    expect(all.sort()).toEqual(['a', 'b', 'c', 'd'])
  })

  it('an injected partial batch write leaves unprocessed writes unapplied', async () => {
    const { inner, store } = await always('unprocessed')
    const writes = ['a', 'b', 'c', 'd'].map(id => ({ PutRequest: { Item: item(id) } }))
    const answer = await store.batchWriteItem({ RequestItems: { [TableName]: writes } })
    const left = answer.UnprocessedItems![TableName]!.map(({ PutRequest }) => PutRequest!.Item!.id!.S)
    expect(left.length).toBeGreaterThan(0)
    expect([...(await ids(inner)), ...left].sort()).toEqual(['a', 'b', 'c', 'd'])
  })

  it('a batch of one entry is never partial, because the service throttles it as a whole', async () => {
    const { store } = await always('unprocessed')
    const answer = await store.batchWriteItem({ RequestItems: { [TableName]: [{ PutRequest: { Item: item('a') } }] } })
    expect(answer.UnprocessedItems ?? {}).toEqual({})
    expect(store.faults).toEqual([])
  })

  it('an injected batch read returns items in a different order than the keys', async () => {
    const { inner, store } = await always('disordered')
    const names = ['a', 'b', 'c', 'd', 'e']
    for (const id of names) await put(inner, id)
    const orders = new Set<string>()
    for (let i = 0; i < 10; i++) {
      const { Responses } = await store.batchGetItem({ RequestItems: { [TableName]: { Keys: names.map(item) } } })
      const found = Responses![TableName]!.map(({ id }) => id!.S!)
      expect([...found].sort()).toEqual(names)
      orders.add(found.join())
    }
    expect(orders.size).toBeGreaterThan(2)
  })
})

describe('an injected crash', () => {
  it('an injected crash passes the chosen number of requests and fails all later ones without retries', async () => {
    const inner = await table()
    const crashing = faulty(inner, { seed: 3, rates: {}, crashAfter: 2 })
    const clock = new VirtualClock()
    const store = retrying(crashing, { clock })
    await put(store, 'a')
    await put(store, 'b')
    expect(await failed(put(store, 'c'))).toBeInstanceOf(Crashed)
    expect(await failed(ids(store))).toBeInstanceOf(Crashed)
    expect(await failed(put(store, 'd'))).toBeInstanceOf(Crashed)
    expect(clock.delays).toEqual([])
    const [fault, ...more] = crashing.faults
    expect(more).toEqual([])
    expect(fault).toMatchObject({ call: 3, kind: 'crashed' })
    expect(await ids(inner)).toEqual(fault!.done ? ['a', 'b', 'c'] : ['a', 'b'])
  })

  it('an injected crash happens anywhere in its range, before or after its request is applied', async () => {
    const met = new Set<string>()
    for (let seed = 0; seed < 60; seed++) {
      const store = faulty(await table(), { seed, rates: {}, crashAfter: { min: 1, max: 3 } })
      for (let i = 0; i < 5; i++) await failed(put(store, `${i}`))
      const { call, done } = store.faults[0]!
      met.add(`${call} ${done}`)
    }
    expect([...met].sort()).toEqual(['2 false', '2 true', '3 false', '3 true', '4 false', '4 true'])
  })

  it('an injected crash also ends requests on tables, which have no other faults', async () => {
    const store = faulty(await table(), { seed: 1, rates: { throttled: 1 }, crashAfter: 1 })
    await store.listTables({})
    expect(await failed(store.listTables({}))).toBeInstanceOf(Crashed)
  })
})

describe('the random choices of a faulty store', () => {
  const all = ['a', 'b', 'c', 'd']
  const keys = all.map(item)

  it('a random part of a batch is left unprocessed, never all or none, together with the rest of the request', async () => {
    const left = new Set<string>()
    for (let seed = 0; seed < 200; seed++) {
      const inner = await table()
      const store = faulty(inner, { seed, rates: { unprocessed: 1 } })
      const { UnprocessedItems } = await store.batchWriteItem({
        RequestItems: { [TableName]: keys.map(Item => ({ PutRequest: { Item } })) },
      })
      const rest = UnprocessedItems![TableName]!.map(({ PutRequest }) => PutRequest!.Item!.id!.S!)
      expect([...(await ids(inner)), ...rest].sort()).toEqual(all)
      left.add(rest.join(''))
      const answer = await store.batchGetItem({
        RequestItems: { [TableName]: { Keys: keys, ProjectionExpression: 'id' } },
        ReturnConsumedCapacity: 'TOTAL',
      })
      const { Keys, ProjectionExpression } = answer.UnprocessedKeys![TableName]!
      expect(ProjectionExpression).toBe('id')
      expect(answer.ConsumedCapacity?.[0]?.CapacityUnits).toBe((4 - Keys!.length) / 2)
    }
    expect([...left].sort()).toHaveLength(2 ** 4 - 2)
  })

  it("a random subset of a transaction's actions has conflicts, never none", async () => {
    const met = new Set<string>()
    for (let seed = 0; seed < 200; seed++) {
      const store = faulty(await table(), { seed, rates: { conflict: 1 } })
      const { CancellationReasons, message } = await failed(transact(store, all))
      const codes = CancellationReasons.map(({ Code }: { Code: string }) => Code)
      expect(message).toContain(`[${codes.join(', ')}]`)
      met.add(
        codes.map((code: string) => (code === 'None' ? '-' : code === 'TransactionConflict' ? 'x' : '?')).join(''),
      )
    }
    expect(met).not.toContain('----')
    for (let at = 0; at < 4; at++) expect(met).toContain(all.map((_, i) => (i === at ? 'x' : '-')).join(''))
    expect(met.size).toBeGreaterThan(8)
    expect([...met].join('')).not.toContain('?')
  })

  it('a request that a crash interrupts is applied or not at random', async () => {
    for (let seed = 0; seed < 20; seed++) {
      const inner = await table()
      const store = faulty(inner, { seed, rates: {}, crashAfter: 0 })
      await failed(put(store, 'a'))
      expect(await ids(inner)).toEqual(store.faults[0]!.done ? ['a'] : [])
    }
  })
})

describe('the seed of a faulty store', () => {
  async function faultsOf(seed: number) {
    const store = faulty(await table(), { seed })
    for (let i = 0; i < 200; i++) {
      await failed(put(store, `${i % 7}`))
      await failed(transact(store, ['x', 'y', 'z'], `token${i % 5}`))
      await failed(store.batchGetItem({ RequestItems: { [TableName]: { Keys: ['1', '2', '3'].map(item) } } }))
    }
    return store.faults
  }

  it('the same seed gives the same faults for the same calls, and another seed gives others', async () => {
    expect(await faultsOf(7)).toEqual(await faultsOf(7))
    expect(await faultsOf(7)).not.toEqual(await faultsOf(8))
  })

  it('every kind of fault happens about as often as its rate', async () => {
    const faults = await faultsOf(7)
    const often = (kind: FaultKind) => faults.filter(fault => fault.kind === kind).length
    expect(often('throttled') / 600).toBeGreaterThan(0.02)
    expect(often('throttled') / 600).toBeLessThan(0.09)
    for (const kind of ['lost', 'unsent', 'failed', 'conflict', 'inProgress', 'unprocessed', 'disordered'] as const)
      expect(often(kind), kind).toBeGreaterThan(0)
  })

  it('the faults of a call depend only on its number, not on the outcome of earlier calls', async () => {
    const inner = await table()
    const one = faulty(inner, { seed: 5 })
    const other = faulty(inner, { seed: 5 })
    for (let i = 0; i < 100; i++) {
      await failed(put(one, 'a'))
      await failed(i % 2 === 0 ? put(other, 'a') : other.batchWriteItem({ RequestItems: { [TableName]: [] } }))
    }
    const evenly = (faults: typeof one.faults) => faults.filter(({ call }) => call % 2 === 1)
    expect(evenly(other.faults)).toEqual(evenly(one.faults))
  })

  it('invalid rates and crash settings are rejected', async () => {
    const inner = await table()
    expect(() => faulty(inner, { seed: 1, rates: { lost: 0.6, throttled: 0.6 } })).toThrow(RangeError)
    expect(() => faulty(inner, { seed: 1, rates: { lost: -1 } })).toThrow(RangeError)
    expect(() => faulty(inner, { seed: 1, rates: { gone: 1 } as never })).toThrow("there is no fault 'gone'")
    for (const crashAfter of [-1, 0.5, Number.NaN, { min: 2, max: 1 }, { min: 0, max: Number.NaN }])
      expect(() => faulty(inner, { seed: 1, crashAfter })).toThrow(RangeError)
  })
})

describe('retries over a faulty store', () => {
  it('retries over a faulty store complete every read and apply no write twice', async () => {
    for (let seed = 0; seed < 20; seed++) {
      const inner = await table()
      await put(inner, 'a')
      const store = retrying(faulty(inner, { seed }), { clock: new VirtualClock() })
      for (let i = 0; i < 20; i++) {
        expect((await store.getItem({ TableName, Key: item('a') })).Item).toEqual(item('a'))
        const counting = { TableName, Key: item('n'), UpdateExpression: 'ADD n :one' }
        await failed(store.updateItem({ ...counting, ExpressionAttributeValues: { ':one': { N: '1' } } }))
      }
      const { Item } = await inner.getItem({ TableName, Key: item('n') })
      expect(Number(Item!.n!.N)).toBeLessThanOrEqual(20)
    }
  })
})

describe('faulty() rejects invalid arguments with its usage', () => {
  it.each([
    [undefined, 'faulty(): the seed is missing; give options by name, as in faulty(store, { seed: 7 }).'],
    [null, 'faulty(): the seed is missing'],
    [7, 'faulty(): the seed is missing'],
    [{}, 'faulty(): the seed is missing'],
    [{ seed: '7' }, 'faulty(): the seed is missing'],
    [{ sed: 1 }, "faulty(): there is no option 'sed'; use only seed, rates, crashAfter."],
    [{ seed: 1, rate: {} }, "faulty(): there is no option 'rate'; use only "],
    [{ seed: 1, crashAfter: { min: 1, max: 2, mean: 3 } }, "crashAfter: there is no option 'mean'; use only min, max."],
  ])('faulty() rejects %j', (options, message) => {
    const given = options as unknown as FaultyOptions
    expect(() => faulty(memory(), given)).toThrow(message)
    expect(() => faulty(memory(), given)).toThrow(TypeError)
  })

  it('faulty() treats undefined options as absent', async () => {
    const store = faulty(await table(), { seed: 1, rates: { throttled: undefined } as object, crashAfter: undefined })
    await put(store, 'a')
    expect(store.faults).toEqual([])
  })
})
