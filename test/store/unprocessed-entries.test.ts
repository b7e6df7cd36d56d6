import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { BatchGetItemInput, BatchWriteItemInput } from '../../src/dynamodb/operation-types.js'
import type { Store } from '../../src/store/port.js'
import { type RetryingOptions, retrying } from '../../src/store/retry.js'
import { scripted, serviceError, VirtualClock } from './scripted-store.js'

const key = (id: string) => ({ id: { S: id } })
const write = (id: string) => ({ PutRequest: { Item: key(id) } })
const throttle = serviceError('ProvisionedThroughputExceededException')
const broken = serviceError('InternalServerError', { $metadata: { httpStatusCode: 500 } })

function patient(steps: readonly object[], options: RetryingOptions = {}) {
  const clock = new VirtualClock()
  const { store, sent } = scripted(...steps)
  const requests = () => sent.map(({ request }) => request)
  return { store: retrying(store, { clock, random: () => 1, baseDelayMs: 100, ...options }), requests, clock }
}

describe('BatchGetItem', () => {
  const settings = { ConsistentRead: true, ProjectionExpression: '#n', ExpressionAttributeNames: { '#n': 'name' } }
  const request: BatchGetItemInput = {
    RequestItems: { a: { Keys: [key('1'), key('2'), key('3')], ...settings }, b: { Keys: [key('4')] } },
    ReturnConsumedCapacity: 'TOTAL',
  }

  test('BatchGetItem requests only the unprocessed keys again, with their read options, and returns all items', async () => {
    const before = structuredClone(request)
    const { store, requests } = patient([
      { Responses: { a: [key('1')], b: [key('4')] }, UnprocessedKeys: { a: { Keys: [key('2'), key('3')] } } },
      { Responses: { a: [key('3')] }, UnprocessedKeys: {} },
    ])
    expect(await store.batchGetItem(request)).toEqual({
      Responses: { a: [key('1'), key('3')], b: [key('4')] },
      UnprocessedKeys: {},
    })
    const rest = { a: { Keys: [key('2'), key('3')], ...settings } }
    expect(requests()).toEqual([before, { RequestItems: rest, ReturnConsumedCapacity: 'TOTAL' }])
    expect(request).toEqual(before)
  })

  test('BatchGetItem returns exactly the remaining keys as unprocessed when attempts run out', async () => {
    const left = { UnprocessedKeys: { a: { Keys: [key('2')] } } }
    const { store, clock } = patient(
      [
        { Responses: { a: [key('1')] }, ...left },
        { Responses: {}, ...left },
      ],
      { attempts: 2 },
    )
    expect(await store.batchGetItem(request)).toEqual({ Responses: { a: [key('1')] }, ...left })
    expect(clock.delays).toEqual([100])
  })

  test('BatchGetItem returns keys as unprocessed that were throttled after a partial response', async () => {
    const partial = { Responses: { a: [key('1')] }, UnprocessedKeys: { a: { Keys: [key('2')] } } }
    const { store } = patient([partial, throttle, broken], { attempts: 3 })
    expect(await store.batchGetItem(request)).toEqual(partial)
  })

  test('BatchGetItem rejects when aborted after a partial response, even without remaining attempts', async () => {
    const controller = new AbortController()
    const timeout = Object.assign(new Error('too late'), { name: 'TimeoutError' })
    const partial = { Responses: {}, UnprocessedKeys: { a: { Keys: [key('1'), key('2'), key('3'), key('4')] } } }
    const { store: inner } = scripted(partial, timeout)
    const send: Store['batchGetItem'] = async (rest, call) => {
      try {
        return await inner.batchGetItem(rest, call)
      } catch (error) {
        controller.abort(error)
        throw error
      }
    }
    const store = retrying({ ...inner, batchGetItem: send }, { attempts: 2, clock: new VirtualClock() })
    await expect(store.batchGetItem(request, { abortSignal: controller.signal })).rejects.toBe(timeout)
  })

  test('BatchGetItem rejects if no attempt had a response', async () => {
    const { store } = patient([throttle, throttle], { attempts: 2 })
    await expect(store.batchGetItem(request)).rejects.toBe(throttle)
  })

  test('BatchGetItem returns a partial response at the deadline', async () => {
    const partial = { Responses: { a: [key('1')] }, UnprocessedKeys: { a: { Keys: [key('2')] } } }
    const { store, clock } = patient([partial], { deadlineMs: 99 })
    expect(await store.batchGetItem(request)).toEqual(partial)
    expect(clock.delays).toEqual([])
  })

  test('BatchGetItem resets attempts and delays after progress', async () => {
    const some = (...ids: string[]) => ({ Responses: {}, UnprocessedKeys: { a: { Keys: ids.map(key) } } })
    const steps = [some('1', '2', '3'), some('1', '2', '3'), some('1', '2'), some('1', '2'), some('1'), some()]
    const { store, clock } = patient(steps, { attempts: 3 })
    expect(await store.batchGetItem(request)).toMatchObject({ UnprocessedKeys: { a: { Keys: [] } } })
    expect(clock.delays).toEqual([100, 200, 100, 200, 100])
  })

  test('BatchGetItem adds up capacity by table and index', async () => {
    const index = (units: number) => ({ CapacityUnits: units })
    const { store } = patient([
      {
        UnprocessedKeys: { a: { Keys: [key('2')] } },
        ConsumedCapacity: [
          { TableName: 'a', CapacityUnits: 1.5, Table: index(1), LocalSecondaryIndexes: { constructor: index(0.5) } },
          { TableName: 'b', CapacityUnits: 0.5, Table: index(0.5) },
        ],
      },
      {
        ConsumedCapacity: [
          {
            TableName: 'a',
            CapacityUnits: 3,
            Table: index(1),
            LocalSecondaryIndexes: { constructor: index(1) },
            GlobalSecondaryIndexes: { g: index(1) },
          },
        ],
      },
    ])
    const { ConsumedCapacity } = await store.batchGetItem(request)
    expect(ConsumedCapacity).toEqual([
      {
        TableName: 'a',
        CapacityUnits: 4.5,
        Table: index(2),
        LocalSecondaryIndexes: { constructor: index(1.5) },
        GlobalSecondaryIndexes: { g: index(1) },
      },
      { TableName: 'b', CapacityUnits: 0.5, Table: index(0.5) },
    ])
  })
})

describe('BatchWriteItem', () => {
  const request: BatchWriteItemInput = {
    RequestItems: { a: [write('1'), write('2')], b: [{ DeleteRequest: { Key: key('3') } }] },
    ReturnItemCollectionMetrics: 'SIZE',
  }

  test('BatchWriteItem sends only the unprocessed items again', async () => {
    const before = structuredClone(request)
    const left = { a: [write('2')], b: [{ DeleteRequest: { Key: key('3') } }] }
    const { store, requests } = patient([{ UnprocessedItems: left }, throttle, { UnprocessedItems: {} }])
    expect(await store.batchWriteItem(request)).toEqual({ UnprocessedItems: {} })
    const again = { RequestItems: left, ReturnItemCollectionMetrics: 'SIZE' }
    expect(requests()).toEqual([before, again, again])
    expect(request).toEqual(before)
  })

  test('BatchWriteItem rejects at once if the outcome of the remaining writes is unknown', async () => {
    const { store, requests } = patient([{ UnprocessedItems: { a: [write('2')] } }, broken])
    await expect(store.batchWriteItem(request)).rejects.toBe(broken)
    expect(requests()).toHaveLength(2)
  })

  test('BatchWriteItem keeps the latest metrics of each item collection', async () => {
    const metrics = (id: string, size: number) => ({
      ItemCollectionKey: key(id),
      SizeEstimateRangeGB: [size, size + 1],
    })
    const { store } = patient([
      { UnprocessedItems: { a: [write('2')] }, ItemCollectionMetrics: { a: [metrics('x', 1), metrics('y', 1)] } },
      { UnprocessedItems: {}, ItemCollectionMetrics: { a: [metrics('x', 2)], b: [metrics('z', 1)] } },
    ])
    expect(await store.batchWriteItem(request)).toEqual({
      UnprocessedItems: {},
      ItemCollectionMetrics: { a: [metrics('y', 1), metrics('x', 2)], b: [metrics('z', 1)] },
    })
  })
})

test('each key of a batch is found, missing or unprocessed exactly once, for any split by the store', async () => {
  const ids = fc.uniqueArray(fc.integer({ min: 0, max: 99 }).map(String), { minLength: 1, maxLength: 20 })
  const shares = fc.array(fc.integer({ min: -1, max: 5 }), { maxLength: 15 })
  await fc.assert(
    fc.asyncProperty(ids, shares, async (ids, shares) => {
      const { store, processed } = splitting(shares)
      const clock = new VirtualClock()
      const request = { RequestItems: { t: { Keys: ids.map(key) } } }
      const patient = retrying(store, { clock, attempts: 3, deadlineMs: 1e9 })
      const answer = await patient.batchGetItem(request).catch((error: unknown) => error)
      if (answer === throttle) {
        expect(processed).toEqual([])
        return
      }
      const { Responses, UnprocessedKeys } = answer as Awaited<ReturnType<Store['batchGetItem']>>
      const left = (UnprocessedKeys?.t?.Keys ?? []).map(item => item.id?.S)
      expect([...processed, ...left].toSorted()).toEqual(ids.toSorted())
      expect(Responses?.t?.map(item => item.id?.S)).toEqual(processed.filter(exists))
    }),
  )
})

const exists = (id: string) => Number(id) % 2 === 0

/**
 * A store of the even ids. It processes the scripted number of keys per request (-1 throttles the request), then three
 * at a time.
 */
function splitting(shares: readonly number[]) {
  const processed: string[] = []
  let turn = 0
  const batchGetItem: Store['batchGetItem'] = async request => {
    const keys = request.RequestItems.t?.Keys ?? []
    const share = shares[turn++] ?? 3
    if (share < 0) throw throttle
    const ids = keys.slice(0, share).map(item => item.id?.S ?? '')
    processed.push(...ids)
    const left = keys.slice(share)
    return {
      Responses: { t: ids.filter(exists).map(key) },
      UnprocessedKeys: left.length > 0 ? { t: { Keys: left } } : {},
    }
  }
  return { store: { batchGetItem } as Store, processed }
}
