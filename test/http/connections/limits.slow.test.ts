import { once } from 'node:events'
import { type ClientRequest, request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { memory } from '../../../src/engine/index.js'
import { type ServedStore, type ServeOptions, serve } from '../../../src/http/index.js'
import { call, SIGNED } from '../raw-requests.js'

let serving: ServedStore
const start = async (options: ServeOptions = {}) => {
  serving = await serve(memory(), { port: 0, ...options })
}
afterEach(() => serving.close())

const MEGABYTE = 1024 * 1024
const HEADERS = {
  ...SIGNED,
  'content-type': 'application/x-amz-json-1.0',
  'x-amz-target': 'DynamoDB_20120810.ListTables',
}
const padded = (bytes: number) => `{"a":"${'x'.repeat(bytes - 8)}"}`

/** Sends text over a bare connection, and returns all received data when the connection is closed. */
async function exchanged(...texts: string[]): Promise<string> {
  const socket = connect(serving.port, '127.0.0.1')
  let received = ''
  socket.setEncoding('latin1').on('data', text => {
    received += text
  })
  socket.on('error', () => undefined)
  for (const text of texts) socket.write(text)
  await once(socket, 'close')
  return received
}

const drained = (request: ClientRequest) => new Promise(resolve => request.once('drain', resolve))

/** Sends chunks until the endpoint stops reading, and returns the status and the number of sent bytes. */
async function streamed(
  bytes: number,
  headers: Record<string, string>,
): Promise<{ status: number; sentBytes: number }> {
  const request = httpRequest(serving.url, { method: 'POST', headers: { ...HEADERS, ...headers } })
  let status = 0
  request.on('response', response => {
    status = response.statusCode!
    response.resume()
  })
  const closed = new Promise<void>(resolve => request.on('close', resolve))
  request.on('error', () => undefined)
  let sentBytes = 0
  const chunk = Buffer.alloc(MEGABYTE, 'x')
  while (sentBytes < bytes && status === 0 && !request.destroyed) {
    sentBytes += chunk.length
    if (!request.write(chunk)) await Promise.race([drained(request), closed])
    await sleep(1)
  }
  request.end()
  await closed
  return { status, sentBytes }
}

const goesOn = async () => expect((await call(serving.url, 'ListTables', {})).text).toBe('{"TableNames":[]}')

describe('the length of a body', () => {
  it('a body can have 16 MB', async () => {
    await start()
    const { status, text } = await call(serving.url, 'ListTables', padded(16 * MEGABYTE))
    expect({ status, text }).toEqual({ status: 200, text: '{"TableNames":[]}' })
  })

  it('a body of more than 16 MB is rejected', async () => {
    await start()
    const { status, text, headers } = await call(serving.url, 'ListTables', padded(16 * MEGABYTE + 1))
    expect({ status, text, sent: headers['transfer-encoding'] }).toEqual({ status: 413, text: '', sent: 'chunked' })
    await goesOn()
  })

  it('a body with a declared length above the limit is rejected before it is read', async () => {
    await start()
    const { status, sentBytes } = await streamed(100 * MEGABYTE, { 'content-length': `${100 * MEGABYTE}` })
    expect(status).toBe(413)
    expect(sentBytes).toBeLessThan(50 * MEGABYTE)
    await goesOn()
  })

  it('a body without a declared length is rejected as soon as it exceeds the limit', async () => {
    await start()
    const { status, sentBytes } = await streamed(100 * MEGABYTE, { 'transfer-encoding': 'chunked' })
    expect(status).toBe(413)
    expect(sentBytes).toBeLessThan(80 * MEGABYTE)
    await goesOn()
  })

  it('the maximum length of a body is configurable', async () => {
    await start({ bodyBytes: 100 })
    expect((await call(serving.url, 'ListTables', padded(100))).status).toBe(200)
    expect((await call(serving.url, 'ListTables', padded(101))).status).toBe(413)
  })
})

describe('the duration of a request', () => {
  it('a request is limited in time until its headers arrive', async () => {
    await start({ requestMs: 200 })
    expect(await exchanged('POST / HTTP/1.1\r\nHost: localhost\r\n')).toMatch(/^HTTP\/1\.1 408 /)
    await goesOn()
  })

  it('a request is limited in time until its body arrives', async () => {
    await start({ requestMs: 200 })
    const head = 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n'
    expect(await exchanged(head, '{"a":')).toMatch(/^HTTP\/1\.1 408 /)
    await goesOn()
  })
})

describe('the time between requests', () => {
  const request = (more: string[] = []) =>
    ['POST / HTTP/1.1', 'Host: localhost', 'Content-Length: 0', ...more, '', ''].join('\r\n')

  it.each([
    ['whose requests are simple', request()],
    ['whose requests are not', request(['Accept-Encoding: gzip'])],
    ['on which nothing came', ''],
  ])('the idle time is limited on a connection %s', async (_, text) => {
    await start({ idleMs: 150, requestMs: 400 })
    const began = Date.now()
    const answer = await exchanged(text)
    expect(answer.startsWith('HTTP/1.1 400')).toBe(text !== '')
    expect(Date.now() - began).toBeGreaterThan(100)
    await goesOn()
  })
})

describe('malformed requests', () => {
  it('a malformed request is rejected', async () => {
    await start()
    expect(await exchanged('hello\r\n\r\n')).toBe(
      'HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n',
    )
    await goesOn()
  })

  it.each([
    ['headers', `POST / HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(100_000)}\r\n\r\n`],
    ['headers of a little over 16 KB', `POST / HTTP/1.1\r\nHost: localhost\r\nX: ${'x'.repeat(17_000)}\r\n\r\n`],
    ['request line', `POST /${'x'.repeat(17_000)} HTTP/1.1\r\nHost: localhost\r\n\r\n`],
    ['many headers', `POST / HTTP/1.1\r\nHost: localhost\r\n${'X: y\r\n'.repeat(9000)}\r\n`],
  ])('a request is rejected for its %s as the service rejects it, with a reason', async (_, head) => {
    await start()
    const answer = await exchanged(head)
    expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\nConnection: close\r\n/)
    const [, text] = answer.split('\r\n\r\n')
    expect(JSON.parse(text!)).toEqual({
      __type: 'com.amazon.coral.service#SerializationException',
      message: 'The request line and the headers together are longer than 16 KB.',
    })
    await goesOn()
  })

  it('an otherwise simple request with long headers is rejected', async () => {
    await start()
    const headers = { ...HEADERS, host: 'localhost', 'content-length': '2', 'x-more': 'x'.repeat(17_000) }
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
    expect(await exchanged(['POST / HTTP/1.1', ...lines, '', '{}'].join('\r\n'))).toMatch(/^HTTP\/1\.1 400 /)
  })

  it('a request can have nearly 16 KB of headers', async () => {
    await start()
    const headers = { 'x-more': 'x'.repeat(15_000) }
    expect((await call(serving.url, 'ListTables', {}, headers)).status).toBe(200)
  })

  it('a request can end at any byte', async () => {
    await start()
    const text = `POST / HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 20\r\n\r\n{"Limit":1}`
    for (let end = 0; end < text.length; end += 7) {
      const socket = connect(serving.port, '127.0.0.1')
      socket.on('error', () => undefined)
      socket.end(text.slice(0, end))
      if (end % 2 === 0) socket.destroy()
      else await Promise.race([once(socket, 'close'), sleep(200)])
    }
    await goesOn()
  })
})
