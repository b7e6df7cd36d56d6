import { describe, expect, it } from 'vitest'
import { memory } from '../../src/engine/index.js'
import { serve } from '../../src/http/index.js'
import type { Store } from '../../src/store/port.js'
import { call } from './raw-requests.js'

async function answering(store: Partial<Record<string, unknown>>, operation: string) {
  const failures: unknown[] = []
  const serving = await serve(store as unknown as Store, { port: 0, onFailure: error => failures.push(error) })
  const answer = await call(serving.url, operation, {})
  await serving.close()
  return { ...answer, failures }
}

const thrown =
  (name: string, message: string, members: object = {}) =>
  () =>
    Promise.reject(Object.assign(new Error(message), { name, $fault: 'client', ...members }))

describe('a failing store', () => {
  const INTERNAL = '{"__type":"com.amazonaws.dynamodb.v20120810#InternalServerError","message":"Internal server error"}'

  it('an error of the store is a server error with details only for onError', async () => {
    const fault = new TypeError('secret')
    const { status, text, failures } = await answering({ getItem: () => Promise.reject(fault) }, 'GetItem')
    expect({ status, text, failures }).toEqual({ status: 500, text: INTERNAL, failures: [fault] })
  })

  it.each([new RangeError('out of something'), 'a text', undefined])(
    'a store that throws %s is a server error',
    async fault => {
      const { status, text, failures } = await answering({ getItem: () => Promise.reject(fault) }, 'GetItem')
      expect({ status, text, failures }).toEqual({ status: 500, text: INTERNAL, failures: [fault] })
    },
  )

  it('a store that throws synchronously, or returns data without a JSON form, is a server error', async () => {
    const atOnce = () => {
      throw new Error('at once')
    }
    expect((await answering({ getItem: atOnce }, 'GetItem')).text).toBe(INTERNAL)
    expect((await answering({ getItem: async () => ({ Item: 5n }) }, 'GetItem')).text).toBe(INTERNAL)
  })
})

describe('an exception of the service', () => {
  it.each([
    ['ValidationException', 'com.amazon.coral.validate#ValidationException', 'message'],
    ['SerializationException', 'com.amazon.coral.service#SerializationException', 'Message'],
    ['AccessDeniedException', 'com.amazon.coral.service#AccessDeniedException', 'Message'],
    ['ThrottlingException', 'com.amazon.coral.availability#ThrottlingException', 'message'],
    ['ResourceNotFoundException', 'com.amazonaws.dynamodb.v20120810#ResourceNotFoundException', 'message'],
    ['TransactionConflictException', 'com.amazonaws.dynamodb.v20120810#TransactionConflictException', 'message'],
    ['TransactionCanceledException', 'com.amazonaws.dynamodb.v20120810#TransactionCanceledException', 'Message'],
    ['TransactionInProgressException', 'com.amazonaws.dynamodb.v20120810#TransactionInProgressException', 'Message'],
    [
      'IdempotentParameterMismatchException',
      'com.amazonaws.dynamodb.v20120810#IdempotentParameterMismatchException',
      'Message',
    ],
  ])('%s is sent as %s with its %s', async (name, type, member) => {
    const { status, text, failures } = await answering({ getItem: thrown(name, 'words') }, 'GetItem')
    expect({ status, text, failures }).toEqual({
      status: 400,
      text: JSON.stringify({ __type: type, [member]: 'words' }),
      failures: [],
    })
  })

  it.each([
    ['ProvisionedThroughputExceededException', 'ThrottlingReasons'],
    ['ThrottlingException', 'throttlingReasons'],
  ])('%s contains its %s', async (name, member) => {
    const reasons = [{ reason: 'TableWriteKeyRangeThroughputExceeded', resource: 'arn' }]
    const { text } = await answering({ getItem: thrown(name, 'words', { [member]: reasons }) }, 'GetItem')
    expect(JSON.parse(text)).toMatchObject({ [member]: reasons })
  })

  it('an exception of the service has its own status', async () => {
    const { status } = await answering(
      { getItem: thrown('InternalServerError', 'words', { $metadata: { httpStatusCode: 503 } }) },
      'GetItem',
    )
    expect(status).toBe(503)
  })

  it("an exception of the service has its own members and none of JavaScript's", async () => {
    const { text } = await answering(
      {
        executeStatement: thrown('ConditionalCheckFailedException', 'words', {
          Item: { id: { B: Uint8Array.of(1) } },
          cause: new Error('hidden'),
          code: 'hidden',
        }),
      },
      'ExecuteStatement',
    )
    expect(text).toBe(
      '{"__type":"com.amazonaws.dynamodb.v20120810#ConditionalCheckFailedException","Message":"words",' +
        '"Item":{"id":{"B":"AQ=="}}}',
    )
  })

  it('an exception without a message is sent without one', async () => {
    const { text } = await answering({ getItem: thrown('SerializationException', '') }, 'GetItem')
    expect(text).toBe('{"__type":"com.amazon.coral.service#SerializationException"}')
  })
})

describe('a store behind an endpoint', () => {
  it('a store receives the region for which a request is signed', async () => {
    const told: unknown[] = []
    const store = {
      listTables: async (...given: unknown[]) => {
        told.push(given)
        return {}
      },
    }
    const serving = await serve(store as unknown as Store, { port: 0, region: 'eu-north-1' })
    const signedFor = (scope: string) => ({
      authorization: `AWS4-HMAC-SHA256 Credential=key/20261115/${scope}, SignedHeaders=host, Signature=any`,
    })
    await call(serving.url, 'ListTables', {}, signedFor('ap-southeast-2/dynamodb/aws4_request'))
    await call(serving.url, 'ListTables', {}, signedFor('"}/dynamodb/aws4_request'))
    await serving.close()
    expect(told).toEqual([
      [{}, { region: 'ap-southeast-2' }],
      [{}, { region: 'eu-north-1' }],
    ])
  })

  it('only the existing operations of a store can be called', async () => {
    const { text } = await answering({ ...memory(), scan: undefined }, 'Scan')
    expect(text).toBe('{"__type":"com.amazon.coral.service#UnknownOperationException"}')
  })

  it('streams are available under the name of their own service', async () => {
    const { text } = await answering({ getRecords: async () => ({ Records: [] }) }, 'GetRecords')
    expect(text).toBe('{"Records":[]}')
  })
})
