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

/** A store of which every call that can have this fault has it. */
async function always(kind: Exclude<FaultKind, 'crashed'>, options: Partial<FaultyOptions> = {}) {
  const inner = await table()
  return { inner, store: faulty(inner, { seed: 1, ...options, rates: { [kind]: 1 } }) }
}

describe('each fault looks like the one of the service or the network', () => {
  it('throttles before anything is done', async () => {
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

  it('loses the answer to what was done', async () => {
    const { inner, store } = await always('lost')
    const error = await failed(put(store, 'a'))
    expect(error).toMatchObject({ code: 'ECONNRESET', message: 'socket hang up' })
    expect(failureKindOf(error)).toBe('unknown')
    expect(await ids(inner)).toEqual(['a'])
    expect(store.faults).toEqual([{ call: 1, operation: 'putItem', kind: 'lost', done: true }])
  })

  it('loses a request, which looks the same', async () => {
    const { inner, store } = await always('unsent')
    const error = await failed(put(store, 'a'))
    expect(error).toEqual(await failed(put((await always('lost')).store, 'a')))
    expect(await ids(inner)).toEqual([])
  })

  it('fails at the service, with what was asked done or not', async () => {
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

  it('lets a single write meet a transaction', async () => {
    const { inner, store } = await always('conflict')
    const error = await failed(put(store, 'a'))
    expect(error).toMatchObject({ name: 'TransactionConflictException', $metadata: { httpStatusCode: 400 } })
    expect(failureKindOf(error)).toBe('refused')
    await store.getItem({ TableName, Key: item('a') })
    expect(await ids(inner)).toEqual([])
  })

  it('cancels a transaction that meets another, with a reason for each action', async () => {
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

  it('finds only a token that was sent before still in progress', async () => {
    const { inner, store } = await always('inProgress')
    await transact(store, ['a'], 'one')
    const error = await failed(transact(store, ['a'], 'one'))
    expect(error.name).toBe('TransactionInProgressException')
    expect(failureKindOf(error)).toBe('refused')
    await transact(store, ['b'], 'two')
    await transact(store, ['c'])
    expect(await ids(inner)).toEqual(['a', 'b', 'c'])
  })

  it('does what it was asked where the store refuses for good, and says what the store says', async () => {
    const { store } = await always('lost')
    const error = await failed(store.putItem({ TableName: 'absent', Item: item('a') }))
    expect(error.name).toBe('ResourceNotFoundException')
  })
})

describe('batches are answered in part', () => {
  it('leaving keys unprocessed, with how they are to be read, and answering the others', async () => {
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

  it('leaving writes unprocessed, which are not done', async () => {
    const { inner, store } = await always('unprocessed')
    const writes = ['a', 'b', 'c', 'd'].map(id => ({ PutRequest: { Item: item(id) } }))
    const answer = await store.batchWriteItem({ RequestItems: { [TableName]: writes } })
    const left = answer.UnprocessedItems![TableName]!.map(({ PutRequest }) => PutRequest!.Item!.id!.S)
    expect(left.length).toBeGreaterThan(0)
    expect([...(await ids(inner)), ...left].sort()).toEqual(['a', 'b', 'c', 'd'])
  })

  it('but never a batch of one, which the service throttles as a whole', async () => {
    const { store } = await always('unprocessed')
    const answer = await store.batchWriteItem({ RequestItems: { [TableName]: [{ PutRequest: { Item: item('a') } }] } })
    expect(answer.UnprocessedItems ?? {}).toEqual({})
    expect(store.faults).toEqual([])
  })

  it('or in an order that is not that of the keys', async () => {
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

describe('a crash', () => {
  it('lets the chosen number of requests through and fails all later ones, which nobody tries again', async () => {
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

  it('falls, by the seed, anywhere in its range, and before or after the request that it meets is done', async () => {
    const met = new Set<string>()
    for (let seed = 0; seed < 60; seed++) {
      const store = faulty(await table(), { seed, rates: {}, crashAfter: { min: 1, max: 3 } })
      for (let i = 0; i < 5; i++) await failed(put(store, `${i}`))
      const { call, done } = store.faults[0]!
      met.add(`${call} ${done}`)
    }
    expect([...met].sort()).toEqual(['2 false', '2 true', '3 false', '3 true', '4 false', '4 true'])
  })

  it('ends requests on tables too, which have no other faults', async () => {
    const store = faulty(await table(), { seed: 1, rates: { throttled: 1 }, crashAfter: 1 })
    await store.listTables({})
    expect(await failed(store.listTables({}))).toBeInstanceOf(Crashed)
  })
})

describe('what is left to chance is', () => {
  const all = ['a', 'b', 'c', 'd']
  const keys = all.map(item)

  it('which part of a batch is left: any, but never all or none, and the rest of the request goes with it', async () => {
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

  it('which actions of a transaction met another: any, but never none', async () => {
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

  it('whether a request that a crash meets is done, and then it is', async () => {
    for (let seed = 0; seed < 20; seed++) {
      const inner = await table()
      const store = faulty(inner, { seed, rates: {}, crashAfter: 0 })
      await failed(put(store, 'a'))
      expect(await ids(inner)).toEqual(store.faults[0]!.done ? ['a'] : [])
    }
  })
})

describe('the seed decides', () => {
  async function faultsOf(seed: number) {
    const store = faulty(await table(), { seed })
    for (let i = 0; i < 200; i++) {
      await failed(put(store, `${i % 7}`))
      await failed(transact(store, ['x', 'y', 'z'], `token${i % 5}`))
      await failed(store.batchGetItem({ RequestItems: { [TableName]: { Keys: ['1', '2', '3'].map(item) } } }))
    }
    return store.faults
  }

  it('the same faults for the same calls, others for another seed', async () => {
    expect(await faultsOf(7)).toEqual(await faultsOf(7))
    expect(await faultsOf(7)).not.toEqual(await faultsOf(8))
  })

  it('faults of every kind, about as often as the rates say', async () => {
    const faults = await faultsOf(7)
    const often = (kind: FaultKind) => faults.filter(fault => fault.kind === kind).length
    expect(often('throttled') / 600).toBeGreaterThan(0.02)
    expect(often('throttled') / 600).toBeLessThan(0.09)
    for (const kind of ['lost', 'unsent', 'failed', 'conflict', 'inProgress', 'unprocessed', 'disordered'] as const)
      expect(often(kind), kind).toBeGreaterThan(0)
  })

  it('nothing about a call by how earlier ones fared: only its number counts', async () => {
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

  it('and refuses rates, and a crash, that cannot be', async () => {
    const inner = await table()
    expect(() => faulty(inner, { seed: 1, rates: { lost: 0.6, throttled: 0.6 } })).toThrow(RangeError)
    expect(() => faulty(inner, { seed: 1, rates: { lost: -1 } })).toThrow(RangeError)
    expect(() => faulty(inner, { seed: 1, rates: { gone: 1 } as never })).toThrow("there is no fault 'gone'")
    for (const crashAfter of [-1, 0.5, Number.NaN, { min: 2, max: 1 }, { min: 0, max: Number.NaN }])
      expect(() => faulty(inner, { seed: 1, crashAfter })).toThrow(RangeError)
  })
})

describe('retrying over it', () => {
  it('gets every read through, and no write twice', async () => {
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

describe('faulty() tells what it takes', () => {
  it.each([
    [undefined, 'faulty() takes options by name, with a seed: faulty(store, { seed: 7 })'],
    [null, 'faulty() takes options by name'],
    [7, 'faulty() takes options by name'],
    [{}, 'faulty() takes options by name, with a seed'],
    [{ seed: '7' }, 'faulty() takes options by name, with a seed'],
    [{ sed: 1 }, "faulty(): there is no option 'sed', only seed, rates, crashAfter"],
    [{ seed: 1, rate: {} }, "faulty(): there is no option 'rate', only "],
    [{ seed: 1, crashAfter: { min: 1, max: 2, mean: 3 } }, "crashAfter: there is no option 'mean', only min, max"],
  ])('and not %j', (options, message) => {
    const given = options as unknown as FaultyOptions
    expect(() => faulty(memory(), given)).toThrow(message)
    expect(() => faulty(memory(), given)).toThrow(TypeError)
  })

  it('and what is undefined is as not given', async () => {
    const store = faulty(await table(), { seed: 1, rates: { throttled: undefined } as object, crashAfter: undefined })
    await put(store, 'a')
    expect(store.faults).toEqual([])
  })
})
