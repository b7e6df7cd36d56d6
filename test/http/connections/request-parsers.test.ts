import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import fc from 'fast-check'
import { afterAll, expect, it } from 'vitest'
import { parseSimpleRequest } from '../../../src/http/connections/simple-request.js'
import { SIGNED } from '../raw-requests.js'

/** Returns the data that Node's server parsed from a request. */
const server = createServer(async (request, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const { method, url, headers } = request
  response.setHeader('connection', 'close')
  response.end(JSON.stringify({ method, url, headers, body: Buffer.concat(chunks).toString('latin1') }))
})
server.listen(0, '127.0.0.1')
await once(server, 'listening')
afterAll(() => server.close())

interface Read {
  readonly method: string
  readonly url: string
  readonly headers: Record<string, string>
  readonly body: string
}

async function readByNode(bytes: Buffer): Promise<Read | undefined> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  let received = ''
  socket.setEncoding('utf8').on('data', text => {
    received += text
  })
  socket.end(bytes)
  await once(socket, 'close')
  const text = /^HTTP\/1\.1 200 .*?\r\n\r\n(?:[0-9a-f]+\r\n)?(\{.*\})/s.exec(received)?.[1]
  return text === undefined ? undefined : JSON.parse(text)
}

const REQUEST = [
  'POST / HTTP/1.1',
  'Host: localhost',
  'Content-Type: application/json',
  'X-Amz-Target: DynamoDB_20120810.ListTables',
  `Authorization: ${SIGNED.authorization}`,
  'X-Amz-Date: 20261115T000000Z',
  'Content-Length: 2',
  'X-More: abc',
  '',
  '{}',
].join('\r\n')

/** Inputs on which two parsers disagree: line ends, spaces of all kinds, and headers that decide where a body ends. */
const FRAGMENTS = [
  ...['\r', '\n', '\r\n', ' ', '\t', ':', '\0', '\v', '\x85', '\xa0', '\x7f', '0', '+', ',', '_', '('],
  ...['\r\n ', ' \r\n', 'x:\r\n', 'x: \r\n', 'origin:x\r\n', 'Host: other\r\n', 'Connection: close, keep-alive\r\n'],
  ...[
    'Content-Length: 2\r\n',
    'Content-Length:\t2\r\n',
    'Transfer-Encoding : chunked\r\n',
    'Transfer-Encoding:\tchunked\r\n',
  ],
]
const at = fc.nat({ max: REQUEST.length })
const edit = fc.oneof(
  fc.record({ at, removed: fc.constant(0), added: fc.constantFrom(...FRAGMENTS) }),
  fc.record({
    at,
    removed: fc.constantFrom(0, 1),
    added: fc.integer({ min: 0, max: 255 }).map(code => String.fromCharCode(code)),
  }),
  fc.record({ at, removed: fc.constant(1), added: fc.constant('') }),
)
const edited = fc
  .array(edit, { minLength: 1, maxLength: 3 })
  .map(edits =>
    edits.reduce((text, { at, removed, added }) => text.slice(0, at) + added + text.slice(at + removed), REQUEST),
  )

// A request that two parsers read differently could evade a proxy or the origin check.
it("a request that the endpoint parses itself has the same result as in Node's server", async () => {
  const property = fc.asyncProperty(edited, async text => {
    const bytes = Buffer.from(text, 'latin1')
    const simple = parseSimpleRequest(bytes, 1000)
    if (simple === undefined) return
    const { method, url, headers, body } = (await readByNode(bytes))!
    expect({ method, url, body }).toEqual({ method: 'POST', url: '/', body: simple.body.toString('latin1') })
    for (const [name, value] of Object.entries(simple.headers)) expect([name, headers[name]]).toEqual([name, value])
    for (const name of ['origin', 'transfer-encoding', 'content-encoding']) expect(headers[name]).toBe(undefined)
  })
  await fc.assert(property, { numRuns: 2000 })
})
