import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { memory } from '../../../src/engine/index.js'
import { parseSimpleRequest } from '../../../src/http/connections/simple-request.js'
import { serve } from '../../../src/http/index.js'
import { SIGNED } from '../raw-requests.js'

const serving = await serve(memory(), { port: 0 })
afterAll(() => serving.close())

const HEADERS = {
  Host: 'localhost',
  'Content-Type': 'application/x-amz-json-1.0',
  'X-Amz-Target': 'DynamoDB_20120810.ListTables',
  ...SIGNED,
}

/** A complete request; a header given as undefined is omitted. */
function requestText(body = '{}', headers: Record<string, string | undefined> = {}, line = 'POST / HTTP/1.1'): string {
  const all = { ...HEADERS, 'Content-Length': `${Buffer.byteLength(body)}`, ...headers }
  const lines = Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${value}`]))
  return [line, ...lines, '', body].join('\r\n')
}

/** Sends pieces one after the other, each in its own packets, and returns all received data when both sides end. */
async function exchanged(...pieces: string[]): Promise<string> {
  return exchangedAt(serving.port, ...pieces)
}

async function exchangedAt(port: number, ...pieces: string[]): Promise<string> {
  const socket = connect(port, '127.0.0.1').setNoDelay(true)
  let received = ''
  socket.setEncoding('utf8').on('data', text => {
    received += text
  })
  const closed = once(socket, 'close')
  for (const piece of pieces) {
    socket.write(piece)
    await sleep(20)
  }
  socket.end()
  await closed
  return received
}

const answersIn = (text: string) => text.match(/HTTP\/1\.1 \d+ [A-Za-z ]+/g) ?? []
const OK = 'HTTP/1.1 200 OK'
const TABLES = '{"TableNames":[]}'

describe('requests on one connection', () => {
  it('consecutive requests on one connection get their responses', async () => {
    const received = await exchanged(requestText(), requestText(), requestText('{"Limit":1}'))
    expect(answersIn(received)).toEqual([OK, OK, OK])
    expect(received.split(TABLES).length).toBe(4)
  })

  it('requests that arrive all at once get their responses in order', async () => {
    const unknown = requestText('{}', { 'X-Amz-Target': 'none' })
    const received = await exchanged([requestText(), unknown, requestText(), unknown].join(''))
    expect(answersIn(received)).toEqual([OK, 'HTTP/1.1 400 Bad Request', OK, 'HTTP/1.1 400 Bad Request'])
  })

  it('requests that arrive during others get their responses', async () => {
    const socket = connect(serving.port, '127.0.0.1').setNoDelay(true)
    let received = ''
    socket.on('data', text => {
      received += text
    })
    for (let index = 0; index < 50; index++) socket.write(requestText())
    socket.end()
    await once(socket, 'close')
    expect(answersIn(received)).toEqual(Array.from({ length: 50 }, () => OK))
  })

  it('a request that arrives in pieces, cut at any byte, gets its response', async () => {
    const text = requestText('{"Limit":1}')
    const cuts = [1, 10, 16, 17, 30, text.indexOf('\r\n\r\n') + 2, text.indexOf('{'), text.length - 1]
    for (const cut of cuts) {
      const received = await exchanged(requestText(), text.slice(0, cut), text.slice(cut), requestText())
      expect(answersIn(received)).toEqual([OK, OK, OK])
    }
  })

  it('a simple request gets a response with the same headers as any other', async () => {
    const names = (text: string) => Array.from(text.split('\r\n\r\n')[0]!.matchAll(/^([\w-]+):/gm), ([, name]) => name)
    const simple = await exchanged(requestText())
    const other = await exchanged(requestText('{}', { Expect: '100-continue' }))
    expect(other).toContain('HTTP/1.1 100 Continue')
    const last = other.slice(other.lastIndexOf('HTTP/1.1 200'))
    expect(names(last).filter(name => name !== 'Keep-Alive')).toEqual(names(simple))
  })

  it.each([
    [
      'in chunks',
      requestText('2\r\n{}\r\n0\r\n\r\n', { 'Content-Length': undefined, 'Transfer-Encoding': 'chunked' }),
      OK,
    ],
    ['to be closed', requestText('{}', { Connection: 'close' }), OK],
    ['with a header on two lines', requestText('{}', { 'X-Long': 'a\r\n b' }), 'HTTP/1.1 400 Bad Request'],
    ['of two lengths', requestText('{}', { 'content-length': '3' }), 'HTTP/1.1 400 Bad Request'],
    ['of a length and in chunks', requestText('{}', { 'Transfer-Encoding': 'chunked' }), 'HTTP/1.1 400 Bad Request'],
    ['with a space in a name', requestText('{}', { 'X Y': 'z' }), 'HTTP/1.1 400 Bad Request'],
    ['for no host', requestText('{}', { Host: undefined }), 'HTTP/1.1 400 Bad Request'],
    ['for two hosts', requestText('{}', { host: 'there' }), 'HTTP/1.1 400 Bad Request'],
    ['of HTTP/1.0', requestText('{}', {}, 'POST / HTTP/1.0'), OK],
    ['of another version', requestText('{}', {}, 'POST / HTTP/9.9'), 'HTTP/1.1 400 Bad Request'],
    ['with bare line ends', requestText().replaceAll('\r\n', '\n'), 'HTTP/1.1 400 Bad Request'],
    ['to another page', requestText('{}', {}, 'GET /shell HTTP/1.1'), 'HTTP/1.1 404 Not Found'],
  ])('a request %s gets its response, as the first or a later one', async (_, text, status) => {
    expect(answersIn(await exchanged(text))).toEqual([status])
    expect(answersIn(await exchanged(requestText(), text))).toEqual([OK, status])
  })

  it('every response has the current time', async () => {
    for (const headers of [{}, { 'Accept-Encoding': 'gzip' }]) {
      const [, date] = /\r\nDate: (.+)\r\n/.exec(await exchanged(requestText('{}', headers))) ?? []
      expect(Math.abs(Date.parse(date!) - Date.now())).toBeLessThan(5000)
    }
  })

  it('a request gets its response before the body behind it is refused', async () => {
    const tooLarge = requestText('', { 'Content-Length': '999999999' })
    const received = await exchanged(requestText('{}', { 'Accept-Encoding': 'gzip' }) + tooLarge)
    expect(answersIn(received)).toEqual([OK, 'HTTP/1.1 413 Payload Too Large'])
  })

  it.each([
    ['is no request', 'none\r\n\r\n'],
    [
      'is in chunks that are none',
      requestText('zz\r\n', { 'Content-Length': undefined, 'Transfer-Encoding': 'chunked' }),
    ],
    ['ends before it is whole', requestText().slice(0, 60)],
  ])('a request gets its response before a malformed one behind it: it %s', async (_, malformed) => {
    const refused = 'HTTP/1.1 400 Bad Request'
    for (const headers of [{}, { 'Accept-Encoding': 'gzip' }]) {
      const text = requestText('{}', headers)
      expect(answersIn(await exchanged(text + malformed))).toEqual([OK, refused])
      expect(answersIn(await exchanged(text, text + text + malformed))).toEqual([OK, OK, OK, refused])
      expect(answersIn(await exchanged(text + malformed, text, malformed))).toEqual([OK, refused])
    }
  })

  it('a request that closes the connection gets its response, regardless of the data behind it', async () => {
    const closing = requestText('{}', { Connection: 'close' })
    expect(answersIn(await exchanged(closing + requestText()))).toEqual([OK])
    expect(answersIn(await exchanged(`${closing}none\r\n\r\n`))).toEqual([OK])
  })

  it('a connection waits for a store that takes longer than the idle time', async () => {
    const listTables = async () => {
      await sleep(400)
      return { TableNames: [] }
    }
    const slow = await serve({ ...memory(), listTables }, { port: 0, idleMs: 100 })
    onTestFinished(() => slow.close())
    for (const headers of [{}, { 'Accept-Encoding': 'gzip' }])
      expect(answersIn(await exchangedAt(slow.port, requestText('{}', headers)))).toEqual([OK])
  })

  it('a client that ends its side or sends malformed data still gets the response of a slow store', async () => {
    const listTables = async () => {
      await sleep(100)
      return { TableNames: [] }
    }
    const slow = await serve({ ...memory(), listTables }, { port: 0 })
    onTestFinished(() => slow.close())
    for (const headers of [{}, { 'Accept-Encoding': 'gzip' }]) {
      const text = requestText('{}', headers)
      expect(answersIn(await exchangedAt(slow.port, text))).toEqual([OK])
      expect(answersIn(await exchangedAt(slow.port, text + text))).toEqual([OK, OK])
      expect(answersIn(await exchangedAt(slow.port, `${text}none\r\n\r\n`))[0]).toBe(OK)
    }
  })

  it('a response can have any script', async () => {
    const body = JSON.stringify({ ExclusiveStartTableName: 'ä€😀' })
    const received = await exchanged(requestText(body), requestText(body))
    expect(answersIn(received)).toEqual(['HTTP/1.1 400 Bad Request', 'HTTP/1.1 400 Bad Request'])
    const [head, rest] = received.split(/\r\n\r\n/)
    const length = Number(/Content-Length: (\d+)/.exec(head!)![1])
    expect(Buffer.from(rest!).subarray(0, length).toString()).toMatch(/ä€😀.*\}$/)
  })

  it('a client that disconnects without waiting does not disturb others', async () => {
    const socket = connect(serving.port, '127.0.0.1')
    socket.write(requestText())
    socket.destroy()
    expect(answersIn(await exchanged(requestText()))).toEqual([OK])
  })
})

/** Exceeds the bytes that a connection buffers for a client that does not read. */
const LARGE_BYTES = 12 * 1024 * 1024
const SENT = 10

/** An endpoint with large responses, and a connection to it that does not read yet. */
async function unread(idleMs?: number) {
  let answered = 0
  const large = 'x'.repeat(LARGE_BYTES)
  const listTables = async () => {
    answered++
    return { TableNames: [large] }
  }
  const store = { ...memory(), listTables }
  const endpoint = await serve(store, { port: 0, idleMs })
  onTestFinished(() => endpoint.close())
  const socket = connect(endpoint.port, '127.0.0.1').setNoDelay(true).pause()
  return { endpoint, socket, answered: () => answered }
}

/** The number of bytes that arrive until the other side ends. */
async function receivedBytes(socket: Socket): Promise<number> {
  let bytes = 0
  socket.on('data', chunk => {
    bytes += chunk.length
  })
  socket.resume()
  await once(socket, 'close')
  return bytes
}

describe('a client that does not read', () => {
  it('a client that does not read gets no further responses until it reads', async () => {
    const { socket, answered } = await unread()
    for (let index = 0; index < SENT; index++) {
      socket.write(requestText())
      await sleep(50)
    }
    expect(answered()).toBeLessThan(3)
    socket.end()
    expect(await receivedBytes(socket)).toBeGreaterThan(SENT * LARGE_BYTES)
    expect(answered()).toBe(SENT)
  })

  it('a client that ends its side after a response is disconnected', async () => {
    const { socket, answered } = await unread()
    socket.write(requestText())
    while (answered() === 0) await sleep(5)
    socket.end()
    await sleep(50)
    expect(await receivedBytes(socket)).toBeGreaterThan(LARGE_BYTES)
  })

  it.each([{}, { 'Accept-Encoding': 'br' }])(
    'a client that does not read is disconnected after the idle time: %j',
    async headers => {
      const { socket } = await unread(200)
      socket.write(requestText('{}', headers))
      await sleep(1000)
      socket.on('error', () => {})
      expect(await receivedBytes(socket)).toBeLessThan(LARGE_BYTES)
    },
  )

  it('a client that does not read gets its complete response while the endpoint closes', async () => {
    const { endpoint, socket, answered } = await unread()
    socket.write(requestText())
    while (answered() === 0) await sleep(5)
    await sleep(50)
    const closed = endpoint.close()
    expect(await receivedBytes(socket)).toBeGreaterThan(LARGE_BYTES)
    await closed
  })
})

describe('a simple request', () => {
  const read = (text: string, bytesMax = 1000) => parseSimpleRequest(Buffer.from(text, 'latin1'), bytesMax)

  it('a simple request is parsed unchanged', () => {
    const request = read(requestText('{"a":1}', { connection: 'Keep-Alive', 'X-Amz-Content-Sha256': 'abc' }))
    expect(request?.body.toString()).toBe('{"a":1}')
    expect(request?.headers).toEqual({
      host: 'localhost',
      'content-length': '7',
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': 'DynamoDB_20120810.ListTables',
      'x-amz-date': SIGNED['x-amz-date'],
      authorization: SIGNED.authorization,
      date: undefined,
    })
  })

  it.each<Record<string, string | undefined>>([
    { 'Content-Length': '1' },
    { 'Content-Length': '3' },
    { 'Content-Length': '+2' },
    { 'Content-Length': '2, 2' },
    { 'Content-Length': undefined },
    { Host: undefined },
    { Origin: 'a' },
    { 'Accept-Encoding': 'gzip' },
    { 'Content-Encoding': 'gzip' },
    { Upgrade: 'h2c' },
    { Connection: 'keep-alive, upgrade' },
    { constructor: 'a' },
    { __proto__x: 'a\u0000' },
    { 'X-Null': 'a\u007f' },
    { 'x-amz-DATE': 'twice' },
    { 'X-Tab': 'a\tb' },
    // A space in JavaScript, but not in HTTP.
    { 'Content-Length': '2\u00a0' },
  ])('a request with %j is not a simple request', headers => {
    expect(read(requestText('{}', headers))).toBe(undefined)
  })

  it('the header values of a simple request are unchanged, except for surrounding spaces', () => {
    const { headers } = read(requestText('{}', { Host: '  localhost\u00a0  ' }))!
    expect(headers.host).toBe('localhost\u00a0')
  })

  it('a simple request is recognized in linear time, with any number of spaces', () => {
    const spaces = ' '.repeat(16_000)
    const texts = [requestText('{}', { Host: `${spaces}\u0001` }), requestText('{}', { Host: `a${spaces}b` })]
    const began = performance.now()
    for (let times = 0; times < 50; times++) for (const text of texts) read(text)
    expect(performance.now() - began).toBeLessThan(1000)
  })

  it('a simple request has the maximum length', () => {
    expect(read(requestText('x'.repeat(1000)))?.body.length).toBe(1000)
    expect(read(requestText('x'.repeat(1001)))).toBe(undefined)
  })
})
