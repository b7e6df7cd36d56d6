import { once } from 'node:events'
import { connect } from 'node:net'
import fc from 'fast-check'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import { MODEL, OPERATION_NAMES } from '../../src/dynamodb/model/operations.js'
import { memory } from '../../src/engine/index.js'
import { serve } from '../../src/http/index.js'
import { anyJson, nearly } from './random-requests.js'
import { call, type RawAnswer, SIGNED } from './raw-requests.js'

const failures: unknown[] = []
const store = memory()
const serving = await serve(store, { port: 0, requestMs: 300, onFailure: error => failures.push(error) })
afterAll(() => serving.close())

const TABLE = { TableName: 'things' }
beforeEach(async () => {
  await store.createTable({
    ...TABLE,
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
    KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
  })
})
afterEach(() => store.deleteTable(TABLE).catch(() => undefined))

/** Asserts that the endpoint still works: a valid request gets its response. */
async function goesOn(): Promise<void> {
  expect((await call(serving.url, 'DescribeTable', { TableName: 'no-such-table' })).text).toBe(
    '{"__type":"com.amazonaws.dynamodb.v20120810#ResourceNotFoundException",' +
      '"message":"Requested resource not found: Table: no-such-table not found"}',
  )
  expect(failures).toEqual([])
}

/** Asserts a response that is not a server error. */
function expectAnswer({ status, text, headers }: RawAnswer, refused = 400): void {
  expect(failures).toEqual([])
  expect([200, refused]).toContain(status)
  expect(headers['x-amzn-requestid']).toMatch(/^[0-9A-Z]{52}$/)
  if (status === refused) expect(JSON.parse(text).__type).toMatch(/^com\.amazon.*#[A-Z]\w+$/)
  else expect(typeof JSON.parse(text)).toBe('object')
}

const operations = fc.constantFrom(...OPERATION_NAMES)
const headers = fc.string({ unit: fc.constantFrom(...'abcXYZ019 /=,;:.*-_"%'), maxLength: 80 })

describe('random requests', () => {
  it('an endpoint survives any bytes', async () => {
    await fc.assert(
      fc.asyncProperty(operations, fc.uint8Array({ maxLength: 200 }), async (operation, bytes) => {
        expectAnswer(await call(serving.url, operation, Buffer.from(bytes)))
      }),
      { numRuns: 500 },
    )
    await goesOn()
  })

  it('an endpoint survives any JSON', async () => {
    await fc.assert(
      fc.asyncProperty(operations, anyJson, async (operation, json) => {
        expectAnswer(await call(serving.url, operation, JSON.stringify(json)))
      }),
      { numRuns: 500 },
    )
    await goesOn()
  })

  it.each(OPERATION_NAMES)('an endpoint survives any JSON in any field of %s', async operation => {
    await fc.assert(
      fc.asyncProperty(nearly(MODEL[operation]), async request => {
        expectAnswer(await call(serving.url, operation, JSON.stringify(request) ?? ''))
      }),
      { numRuns: 100 },
    )
    await goesOn()
  })

  it('an endpoint survives truncated bodies', async () => {
    const request = fc.tuple(operations, fc.double({ min: 0, max: 1, noNaN: true }))
    const whole = fc.sample(nearly(MODEL.TransactWriteItems), { numRuns: 1 })[0]
    const text = JSON.stringify({ ...(whole as object), Item: { id: { S: 'ä' }, b: { B: 'AAEC' } } })
    await fc.assert(
      fc.asyncProperty(request, async ([operation, share]) => {
        const bytes = Buffer.from(text)
        expectAnswer(await call(serving.url, operation, bytes.subarray(0, Math.floor(bytes.length * share))))
      }),
      { numRuns: 200 },
    )
    await goesOn()
  })

  it('an endpoint survives any text in its headers', async () => {
    const names = fc.constantFrom('x-amz-target', 'authorization', 'x-amz-date', 'accept-encoding')
    await fc.assert(
      fc.asyncProperty(names, headers, async (name, value) => {
        expectAnswer(await call(serving.url, 'ListTables', {}, { [name]: value }))
      }),
      { numRuns: 300 },
    )
    await goesOn()
  })

  it('an endpoint survives any declared encoding', async () => {
    await fc.assert(
      fc.asyncProperty(headers, async encoding => {
        expectAnswer(await call(serving.url, 'ListTables', {}, { 'content-encoding': encoding }), 500)
      }),
      { numRuns: 100 },
    )
    await goesOn()
  })
})

/** Returns all data that a text receives, until the other side or the request time ends the connection. */
async function exchanged(bytes: Buffer): Promise<string> {
  const socket = connect(serving.port, '127.0.0.1')
  let received = ''
  socket.setEncoding('latin1').on('data', text => {
    received += text
  })
  socket.on('error', () => undefined)
  socket.end(bytes)
  await once(socket, 'close')
  return received
}

const HEAD = [
  'POST / HTTP/1.1',
  'Host: localhost',
  'Content-Type: application/x-amz-json-1.0',
  'X-Amz-Target: DynamoDB_20120810.ListTables',
  ...Object.entries(SIGNED).map(([name, value]) => `${name}: ${value}`),
]

describe('random connections', () => {
  it('wrong body lengths on a connection do not affect other connections', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 60 }), fc.boolean(), async (length, more) => {
        const rest = more ? '{"Limit":1}{"Limit":1}' : '{"Limit":1}'
        const answer = await exchanged(Buffer.from([...HEAD, `Content-Length: ${length}`, '', rest].join('\r\n')))
        expect(answer).toMatch(/^HTTP\/1\.1 (200|400|404|408) /)
      }),
      { numRuns: 60 },
    )
    await goesOn()
  })

  it('any bytes on a connection do not affect other connections', async () => {
    const whole = Buffer.from([...HEAD, 'Content-Length: 2', '', '{}'].join('\r\n'))
    const broken = fc.tuple(fc.nat(whole.length), fc.nat(whole.length), fc.uint8Array({ maxLength: 20 }))
    await fc.assert(
      fc.asyncProperty(broken, async ([start, cut, bytes]) => {
        const sent = Buffer.concat([
          whole.subarray(0, start),
          bytes,
          whole.subarray(Math.min(start + cut, whole.length)),
        ])
        const answer = await exchanged(sent)
        expect(answer === '' || answer.startsWith('HTTP/1.1 ')).toBe(true)
      }),
      { numRuns: 100 },
    )
    await goesOn()
  })
})
