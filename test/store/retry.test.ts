import { afterEach, describe, expect, test, vi } from 'vitest'
import type { RetryingOptions } from '../../src/store/retry.js'
import { retrying } from '../../src/store/retry.js'
import { cancelled, scripted, serviceError, VirtualClock } from './scripted-store.js'

const get = { TableName: 't', Key: { id: { S: 'a' } } }
const put = { TableName: 't', Item: { id: { S: 'a' } } }
const transaction = { TransactItems: [{ Put: put }] }
const throttle = serviceError('ThrottlingException')
const lost = Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' })
const broken = serviceError('InternalServerError', { $metadata: { httpStatusCode: 500 } })

function patient(steps: readonly object[], options: RetryingOptions = {}) {
  const clock = new VirtualClock()
  const { store, sent } = scripted(...steps)
  return { store: retrying(store, { clock, random: () => 0.5, ...options }), sent, clock }
}

afterEach(() => void vi.useRealTimers())

test('a response is returned unchanged after one request', async () => {
  const answer = { Item: { id: { S: 'a' } } }
  const { store, sent, clock } = patient([answer])
  const options = { abortSignal: new AbortController().signal }
  expect(await store.getItem(get, options)).toBe(answer)
  expect(sent).toEqual([{ operation: 'getItem', request: get, options }])
  expect(clock.delays).toEqual([])
})

test('a throttled write is sent again after delays that double up to the cap', async () => {
  const steps = [throttle, throttle, throttle, throttle, {}]
  const { store, sent, clock } = patient(steps, { baseDelayMs: 100, maxDelayMs: 400 })
  expect(await store.putItem(put)).toEqual({})
  expect(sent.map(({ request }) => request)).toEqual([put, put, put, put, put])
  expect(clock.delays).toEqual([50, 100, 200, 200])
})

test('the last error is thrown when attempts run out', async () => {
  const last = serviceError('ProvisionedThroughputExceededException')
  const { store, sent } = patient([throttle, throttle, last], { attempts: 3 })
  await expect(store.putItem(put)).rejects.toBe(last)
  expect(sent).toHaveLength(3)
})

test('a single attempt is never repeated', async () => {
  const { store, sent } = patient([throttle], { attempts: 1 })
  await expect(store.getItem(get)).rejects.toBe(throttle)
  expect(sent).toHaveLength(1)
})

test('a delay that would end after the deadline does not start', async () => {
  const { store, clock } = patient([throttle, throttle, throttle], { baseDelayMs: 100, deadlineMs: 149 })
  await expect(store.getItem(get)).rejects.toBe(throttle)
  expect(clock.delays).toEqual([50])
})

test('a permanent error is thrown at once', async () => {
  const invalid = serviceError('ValidationException')
  const { store, sent } = patient([invalid])
  await expect(store.getItem(get)).rejects.toBe(invalid)
  expect(sent).toHaveLength(1)
})

test('a call without a request is passed on to the store', async () => {
  const invalid = serviceError('ValidationException')
  const { store } = patient([invalid])
  await expect(store.transactWriteItems(undefined as never)).rejects.toBe(invalid)
})

describe('a request with an unknown outcome', () => {
  test.each([lost, broken])('a read with an unknown outcome is sent again (%s)', async error => {
    const { store, sent } = patient([error, { Items: [] }])
    expect(await store.query({ TableName: 't' })).toEqual({ Items: [] })
    expect(sent).toHaveLength(2)
  })

  test.each([lost, broken])('a write with an unknown outcome is not sent again (%s)', async error => {
    const { store, sent } = patient([error])
    await expect(store.updateItem(get)).rejects.toBe(error)
    expect(sent).toHaveLength(1)
  })

  test.each([undefined, null])(
    'a transaction without a token and with an unknown outcome (%s) is not sent again',
    async token => {
      const { store, sent } = patient([lost])
      const request = { ...transaction, ClientRequestToken: token as undefined }
      await expect(store.transactWriteItems(request)).rejects.toBe(lost)
      expect(sent).toHaveLength(1)
    },
  )

  test('a transaction with a token and an unknown outcome is sent again with the same token', async () => {
    const request = { ...transaction, ClientRequestToken: 'once' }
    const { store, sent } = patient([lost, serviceError('TransactionInProgressException'), {}])
    expect(await store.transactWriteItems(request)).toEqual({})
    expect(sent.map(({ request }) => request)).toEqual([request, request, request])
  })

  test('a rejection of the next attempt does not hide an unknown outcome', async () => {
    const request = { ...transaction, ClientRequestToken: 'once' }
    const { store } = patient([lost, throttle], { attempts: 2 })
    await expect(store.transactWriteItems(request)).rejects.toBe(lost)
  })
})

describe('a cancelled transaction', () => {
  test('a cancelled transaction is sent again if only conflicts and throttles cancelled it', async () => {
    const { store, sent } = patient([cancelled('None', 'TransactionConflict'), cancelled('ThrottlingError'), {}])
    expect(await store.transactWriteItems(transaction)).toEqual({})
    expect(sent).toHaveLength(3)
  })

  test('a cancelled transaction is not sent again if a condition failed too', async () => {
    const error = cancelled('TransactionConflict', 'ConditionalCheckFailed')
    const { store, sent } = patient([error])
    await expect(store.transactWriteItems(transaction)).rejects.toBe(error)
    expect(sent).toHaveLength(1)
  })

  test('a cancelled transaction of reads is sent again', async () => {
    const { store } = patient([cancelled('TransactionConflict'), { Responses: [{}] }])
    expect(await store.transactGetItems({ TransactItems: [{ Get: get }] })).toEqual({ Responses: [{}] })
  })
})

describe('an abort', () => {
  test('an abort ends a delay, rejects with its reason and leaves no timer', async () => {
    vi.useFakeTimers()
    const { store, sent } = scripted(throttle)
    const controller = new AbortController()
    const reading = retrying(store, { random: () => 0.5 }).getItem(get, { abortSignal: controller.signal })
    await vi.advanceTimersByTimeAsync(0)
    expect(vi.getTimerCount()).toBe(1)
    controller.abort('enough')
    await expect(reading).rejects.toBe('enough')
    expect(vi.getTimerCount()).toBe(0)
    expect(sent).toHaveLength(1)
  })

  test('an abort by a timeout during the delay is not treated as a timeout of the service', async () => {
    const reason = new DOMException('too late', 'TimeoutError')
    const controller = new AbortController()
    const sleep = async () => {
      controller.abort(reason)
      throw reason
    }
    const { store, sent } = patient([throttle, {}], { clock: { now: () => 0, sleep } })
    await expect(store.getItem(get, { abortSignal: controller.signal })).rejects.toBe(reason)
    expect(sent).toHaveLength(1)
  })

  test('an abort of a request in flight is not retried', async () => {
    const timeout = new DOMException('too late', 'TimeoutError')
    const { store, sent } = patient([timeout])
    await expect(store.getItem(get, { abortSignal: AbortSignal.abort(timeout) })).rejects.toBe(timeout)
    expect(sent).toHaveLength(1)
  })
})
