import { crc32, deflateSync, gunzipSync, gzipSync, inflateSync } from 'node:zlib'
import { afterAll, describe, expect, it } from 'vitest'
import { memory } from '../../src/engine/index.js'
import { serve } from '../../src/http/index.js'
import { call } from './raw-requests.js'

const store = memory()
const serving = await serve(store, { port: 0, bodyBytes: 100_000 })
afterAll(() => serving.close())
await store.createTable({
  TableName: 'things',
  BillingMode: 'PAY_PER_REQUEST',
  AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
  KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
})
await store.putItem({ TableName: 'things', Item: { id: { S: 'long' }, a: { S: 'x'.repeat(5000) } } })
await store.putItem({ TableName: 'things', Item: { id: { S: 'short' } } })
await store.putItem({ TableName: 'things', Item: { id: { S: 'middling' }, a: { S: 'x'.repeat(4000) } } })

const get = (id: string, encodings: string) =>
  call(serving.url, 'GetItem', { TableName: 'things', Key: { id: { S: id } } }, { 'accept-encoding': encodings })

describe('compressed request bodies', () => {
  const body = Buffer.from('{"Limit":1}')

  it.each([
    ['gzip', gzipSync(body)],
    ['x-gzip', gzipSync(body)],
    ['GZIP', gzipSync(body)],
    ['deflate', deflateSync(body)],
    ['identity', body],
    ['', body],
  ])('a body compressed by %s is accepted', async (encoding, sent) => {
    const { text } = await call(serving.url, 'ListTables', sent, { 'content-encoding': encoding })
    expect(text).toBe('{"TableNames":["things"]}')
  })

  it.each([
    ['gzip', body],
    ['gzip', gzipSync(body).subarray(0, 20)],
    ['deflate', Buffer.from('hello')],
    ['br', body],
    ['gzip', Buffer.alloc(0)],
    ['garbage', body],
  ])('a body that is not valid %s is a server error', async (encoding, sent) => {
    const { status, text } = await call(serving.url, 'ListTables', sent, { 'content-encoding': encoding })
    expect(status).toBe(500)
    expect(JSON.parse(text).__type).toBe('com.amazonaws.dynamodb.v20120810#InternalServerError')
  })

  it('a compressed body can arrive in two parts', async () => {
    const parts = [gzipSync(body.subarray(0, 3)), gzipSync(body.subarray(3))]
    const { text } = await call(serving.url, 'ListTables', Buffer.concat(parts), { 'content-encoding': 'gzip' })
    expect(text).toBe('{"TableNames":["things"]}')
  })

  const spaces = Buffer.alloc(200_000, ' ')

  it.each([
    ['gzip', gzipSync(Buffer.concat([body, spaces]))],
    ['gzip', Buffer.concat([gzipSync(body), gzipSync(spaces)])],
    [
      'gzip',
      Buffer.concat([gzipSync(spaces.subarray(0, 90_000)), gzipSync(spaces.subarray(0, 90_000)), gzipSync(body)]),
    ],
    ['gzip', gzipSync(Buffer.alloc(50_000_000))],
    ['deflate', deflateSync(Buffer.concat([body, spaces]))],
  ])('a body that %s expands beyond the limit is a server error', async (encoding, sent) => {
    expect(sent.length).toBeLessThan(100_000)
    const { status, text } = await call(serving.url, 'ListTables', sent, { 'content-encoding': encoding })
    expect(status).toBe(500)
    expect(JSON.parse(text).__type).toBe('com.amazonaws.dynamodb.v20120810#InternalServerError')
  })

  it('a gzip body can have many members, but not so many that each costs more than it contains', async () => {
    const many = (parts: number) => Buffer.concat([...Array.from({ length: parts - 1 }, () => EMPTY), gzipSync(body)])
    const EMPTY = gzipSync(Buffer.alloc(0))
    const gzip = { 'content-encoding': 'gzip' }
    expect((await call(serving.url, 'ListTables', many(1000), gzip)).text).toBe('{"TableNames":["things"]}')
    const { status, text } = await call(serving.url, 'ListTables', many(1001), gzip)
    expect(status).toBe(500)
    expect(JSON.parse(text).__type).toBe('com.amazonaws.dynamodb.v20120810#InternalServerError')
  })

  it('trailing bytes after a gzip body are ignored', async () => {
    for (const rest of ['junk', '\x1f', '\x1f\x8b', '\0\0', 'x'.repeat(1000)]) {
      const sent = Buffer.concat([gzipSync(body), Buffer.from(rest, 'latin1')])
      const { text } = await call(serving.url, 'ListTables', sent, { 'content-encoding': 'gzip' })
      expect(text).toBe('{"TableNames":["things"]}')
    }
  })

  it.each(['\x03\0abcname\0comment\0cc', `\x2c\x01${'a'.repeat(300)}name\0comment\0cc`])(
    'a gzip header can have a name and other fields: %j',
    async header => {
      const [plain, flags] = [gzipSync(body), 2 | 4 | 8 | 16]
      const told = Buffer.from(header, 'latin1')
      const sent = Buffer.concat([
        plain.subarray(0, 3),
        Buffer.from([flags]),
        plain.subarray(4, 10),
        told,
        plain.subarray(10),
      ])
      const { text } = await call(serving.url, 'ListTables', sent, { 'content-encoding': 'gzip' })
      expect(text).toBe('{"TableNames":["things"]}')
    },
  )

  it('a following gzip member that is invalid or has a wrong checksum is a server error', async () => {
    const whole = gzipSync(body)
    const broken = [Buffer.concat([whole, whole.subarray(0, 20)]), whole.subarray(0, -1), whole.subarray(0, 5)]
    for (const at of [1, 5]) {
      const other = Buffer.from(whole)
      other[other.length - at]! ^= 1
      broken.push(other)
    }
    const named = Buffer.from(whole)
    named[3] = 8
    broken.push(named.subarray(0, 14).fill(1, 10))
    for (const sent of broken)
      expect((await call(serving.url, 'ListTables', sent, { 'content-encoding': 'gzip' })).status).toBe(500)
  })
})

describe('compressed responses', () => {
  it.each([
    'gzip',
    'gzip, deflate',
    'br, GZIP',
    'dog, gzip ,, cat',
    'gzip;q=0.8, deflate;q=0.5',
    '*',
    '*, deflate;q=0.5',
    '*, identity',
    '*;q=0.5,identity',
    'gzip;q=0.5,identity;q=0.8',
    'deflate;q=0.5, gzip;q=31',
    'gzip;q=31,deflate;q=51',
    'deflate;q=0.5, gzip;q=1;q=0.2',
    'deflate;q=0.5,gzip;q=0.x',
    'deflate;q=-0.5,gzip;q=0.2',
    'gzip;q =0;q=1',
    'gzip;q=0, gzip;q=1, gzip;q=0',
    'br,identity;q=0.5,gzip;q=0.0001',
  ])('a response is compressed with gzip for %s', async encodings => {
    const { headers, bytes } = await get('long', encodings)
    expect(headers).toMatchObject({ 'content-encoding': 'gzip', 'content-length': `${bytes.length}` })
    expect(bytes.length).toBeLessThan(500)
    expect(JSON.parse(gunzipSync(bytes).toString()).Item.id).toEqual({ S: 'long' })
  })

  it.each([
    'deflate',
    'br, identity, deflate, gzip',
    'br, gzip;q=0, deflate; q = 0.5 , identity;q=0',
    '*, deflate',
    '*, gzip;q=0.5',
    'deflate;q=0.5, gzip;q=0.2',
    'deflate;q=0.5,gzip;q=0.',
  ])('a response is compressed with deflate for %s', async encodings => {
    const { headers, bytes } = await get('long', encodings)
    expect(headers).toMatchObject({ 'content-encoding': 'deflate', 'content-length': `${bytes.length}` })
    expect(JSON.parse(inflateSync(bytes).toString()).Item.id).toEqual({ S: 'long' })
  })

  it('a compressed response has the checksum of the transmitted bytes', async () => {
    const { headers, bytes } = await get('long', 'gzip')
    expect(headers['x-amz-crc32']).toBe(`${crc32(bytes)}`)
  })

  it.each([
    '',
    'identity',
    'br',
    'x-gzip',
    'gzip;q=0',
    'gzip ;q=0',
    'gzip;q= 0;q=1',
    'gzip;nq=0;q=1',
    '*;q=0',
    'br;q=0.8,identity;q=0.5,*;q=0',
    '"gzip"',
    'gzip br',
    'gzip:q=1',
  ])('a response is not compressed for %s', async encodings => {
    const { headers, text } = await get('long', encodings)
    expect(headers['content-encoding']).toBe(undefined)
    expect(JSON.parse(text).Item.id).toEqual({ S: 'long' })
  })

  it('a response below 4 KB is not compressed', async () => {
    for (const id of ['short', 'middling']) expect((await get(id, 'gzip')).headers['content-encoding']).toBe(undefined)
  })
})
