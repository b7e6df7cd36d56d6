import { DynamoDB } from '@aws-sdk/client-dynamodb'
import { expect, test } from 'vitest'
import { OPERATIONS } from '../../src/store/operations.js'
import type { Operation, Store } from '../../src/store/port.js'
import { wrap } from '../../src/store/wrap.js'
import { scripted } from './scripted.js'

const names = Object.keys(OPERATIONS) as Operation[]

test.each(names)('%s passes through with its own request, options and answer', async operation => {
  const answer = { Count: 1 }
  const { store, sent } = scripted(answer)
  const wrapped = wrap(store, (_operation, request, options, send) => send(request, options))
  const options = { abortSignal: new AbortController().signal }
  const call = wrapped[operation] as (request: object, options: object) => Promise<object>
  expect(await call({ TableName: 't' }, options)).toBe(answer)
  expect(sent).toEqual([{ operation, request: { TableName: 't' }, options }])
})

test('the methods are called on the store, so that a client keeps its `this`', async () => {
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
