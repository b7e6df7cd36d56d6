import { DynamoDB } from '@aws-sdk/client-dynamodb'
import { describe, expect, test } from 'vitest'
import { memory } from '../../src/engine/memory.js'
import { faulty } from '../../src/store/faulty.js'
import { metered } from '../../src/store/metered-store.js'
import { OPERATION_TRAITS } from '../../src/store/operation-traits.js'
import type { Operation, Store, Streams } from '../../src/store/port.js'
import { retrying } from '../../src/store/retry.js'
import { wrap } from '../../src/store/wrap.js'
import { scripted } from './scripted-store.js'

const names = Object.keys(OPERATION_TRAITS) as Operation[]

test.each(names)('%s passes through with its own request, options and response', async operation => {
  const answer = { Count: 1 }
  const { store, sent } = scripted(answer)
  const wrapped = wrap(store, (_operation, request, options, send) => send(request, options))
  const options = { abortSignal: new AbortController().signal }
  const call = wrapped[operation] as (request: object, options: object) => Promise<object>
  expect(await call({ TableName: 't' }, options)).toBe(answer)
  expect(sent).toEqual([{ operation, request: { TableName: 't' }, options }])
})

test('a wrapper calls methods on the store, so that a client keeps its `this`', async () => {
  class Client {
    readonly #answer = { Item: { id: { S: 'a' } } }
    async getItem() {
      return this.#answer
    }
  }
  const wrapped = wrap(new Client() as unknown as Store, (_operation, request, options, send) => send(request, options))
  expect(await wrapped.getItem({ TableName: 't', Key: {} })).toEqual({ Item: { id: { S: 'a' } } })
})

test.each(names)("%s is a method of the AWS SDK's client", operation => {
  expect(DynamoDB.prototype[operation]).toBeTypeOf('function')
})

describe('a wrapped store', () => {
  const passing = <S extends Store>(store: S) =>
    wrap(store, (_operation, request, options, send) => send(request, options))

  test('a wrapped store reads the streams of the given store', async () => {
    const wrapped = passing(memory())
    expect(await wrapped.listStreams({})).toEqual({ Streams: [] })
    expect(wrapped.getRecords).toBeTypeOf('function')
  })

  test('a wrapped store calls stream reads on the given store, so that a client keeps its `this`', async () => {
    class Client {
      readonly #answer = { Streams: [] }
      async listStreams() {
        return this.#answer
      }
    }
    const wrapped = passing(new Client() as unknown as Store & Streams)
    expect(await wrapped.listStreams({})).toEqual({ Streams: [] })
  })

  test('a wrapped store has no stream reads if the given store has none', () => {
    expect('getRecords' in passing(scripted({}).store)).toBe(false)
  })

  test('every wrapper of the package keeps stream reads', async () => {
    for (const store of [retrying(memory()), metered(memory()).store, faulty(memory(), { seed: 1 })])
      expect(await store.listStreams({})).toEqual({ Streams: [] })
  })
})
