import { once } from 'node:events'
import { get } from 'node:https'
import { connect } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { memory } from '../../src/engine/index.js'
import { type ServedStore, type ServeOptions, serve } from '../../src/http/index.js'
import { selfSigned } from './connections/certificate.js'
import { call, type Raw, SIGNED, send } from './raw-requests.js'

const PAGE = 'http://page.example'
const CREATE_TABLE = {
  TableName: 'made',
  BillingMode: 'PAY_PER_REQUEST',
  AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
  KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
}
const PREFLIGHT: Raw = {
  method: 'OPTIONS',
  headers: {
    origin: PAGE,
    'access-control-request-headers': 'authorization,x-amz-target',
    'access-control-request-method': 'POST',
  },
}

let serving: ServedStore
const start = async (options: ServeOptions = {}) => {
  serving = await serve(memory(), { port: 0, ...options })
}
afterEach(() => serving.close())

const tables = async () => JSON.parse((await call(serving.url, 'ListTables', {})).text).TableNames
const allowedOrigin = ({ headers }: { headers: Record<string, unknown> }) => headers['access-control-allow-origin']

describe('a request of a web page', () => {
  it('a request of a web page is refused unless its origin is allowed, with advice to allow it', async () => {
    await start()
    const answer = await call(serving.url, 'CreateTable', CREATE_TABLE, { origin: PAGE })
    expect(answer.status).toBe(403)
    expect(allowedOrigin(answer)).toBe(undefined)
    expect(JSON.parse(answer.text)).toEqual({
      __type: 'com.amazon.coral.service#AccessDeniedException',
      message:
        "Origin 'http://page.example': this endpoint does not answer pages of this origin; " +
        "allow it by 'edgewise serve --cors' (the option cors of serve()).",
    })
    expect(await tables()).toEqual([])
  })

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data', 'application/x-amz-json-1.0'])(
    'a request of a web page is not executed as %s either, which needs no preflight',
    async type => {
      await start()
      const { status } = await call(serving.url, 'CreateTable', CREATE_TABLE, { origin: PAGE, 'content-type': type })
      expect(status).toBe(403)
      expect(await tables()).toEqual([])
    },
  )

  it('a request of a sandboxed frame, whose origin is null, is refused', async () => {
    await start({ cors: [PAGE] })
    expect((await call(serving.url, 'ListTables', {}, { origin: 'null' })).status).toBe(403)
  })

  it('a request of a foreign web page is refused before its body is decompressed', async () => {
    await start()
    const headers = { origin: PAGE, 'content-encoding': 'gzip' }
    expect((await call(serving.url, 'ListTables', 'not gzip', headers)).status).toBe(403)
  })

  it('a preflight of a foreign web page is refused', async () => {
    await start()
    const answer = await send(serving.url, PREFLIGHT)
    expect(answer.status).toBe(403)
    expect(Object.keys(answer.headers).filter(name => name.startsWith('access-control'))).toEqual([])
  })

  it('a foreign web page cannot read pages of the endpoint such as heat', async () => {
    await start({ pages: { '/heat': () => ({ secret: 1 }) } })
    const { status, text } = await send(serving.url, { method: 'GET', path: '/heat', headers: { origin: PAGE } })
    expect(status).toBe(403)
    expect(text).not.toContain('secret')
  })

  it("a request of a page of the endpoint's own origin is executed", async () => {
    await start()
    expect((await call(serving.url, 'ListTables', {}, { origin: serving.url })).text).toBe('{"TableNames":[]}')
    expect((await call(serving.url, 'ListTables', {}, { origin: serving.url.replace('http', 'https') })).status).toBe(
      403,
    )
  })
})

describe('the option cors', () => {
  it('cors lets pages of one origin send requests and read responses, and no others', async () => {
    await start({ cors: [PAGE, 'http://localhost:3000'] })
    const allowed = await call(serving.url, 'ListTables', {}, { origin: PAGE })
    expect(allowed.text).toBe('{"TableNames":[]}')
    expect(allowed.headers).toMatchObject({
      'access-control-allow-origin': PAGE,
      vary: 'Origin',
      'access-control-expose-headers': expect.stringMatching(/^x-amzn-RequestId,/),
    })
    for (const origin of [
      'http://page.example:81',
      'https://page.example',
      'http://a.page.example',
      'http://localhost',
    ])
      expect((await call(serving.url, 'ListTables', {}, { origin })).status).toBe(403)
  })

  it('cors allows the preflight of an allowed origin, including one for a private network', async () => {
    await start({ cors: [PAGE] })
    const { status, text, headers } = await send(serving.url, {
      ...PREFLIGHT,
      headers: { ...PREFLIGHT.headers, 'access-control-request-private-network': 'true' },
    })
    expect({ status, text }).toEqual({ status: 200, text: '' })
    expect(headers).toMatchObject({
      'access-control-allow-origin': PAGE,
      'access-control-allow-headers': 'authorization,x-amz-target',
      'access-control-allow-methods': 'POST',
      'access-control-allow-private-network': 'true',
    })
  })

  it('cors allows every page with a star', async () => {
    await start({ cors: ['*'] })
    for (const origin of [PAGE, 'null'])
      expect(allowedOrigin(await call(serving.url, 'ListTables', {}, { origin }))).toBe('*')
    expect(allowedOrigin(await call(serving.url, 'ListTables', {}))).toBe(undefined)
  })

  it('cors accepts equivalent spellings of an origin', async () => {
    await start({ cors: ['HTTP://Page.Example:80/', 'chrome-extension://abcdef'] })
    for (const origin of [PAGE, 'chrome-extension://abcdef'])
      expect((await call(serving.url, 'ListTables', {}, { origin })).status).toBe(200)
  })

  it.each(['page.example', 'http://', 'http://a/path', 'null', '', 'http://a,http://b', 'http://*.example', undefined])(
    'cors rejects %j, which is not an origin',
    async wrong => {
      await start()
      await expect(serve(memory(), { port: 0, cors: [wrong as string] })).rejects.toThrow(
        `cors: '${wrong}' is not an origin; give scheme and host`,
      )
    },
  )

  it('cors must be a list', async () => {
    await start()
    for (const name of ['cors', 'allowHosts'])
      await expect(serve(memory(), { port: 0, [name]: '*' })).rejects.toThrow(`${name}: '*' is not a list`)
  })
})

/** The status of a request to a host name, on a fast connection and on one that Node's server handles. */
async function statusOf(host: string): Promise<number> {
  const [simple, other] = await Promise.all(
    [{}, { 'accept-encoding': 'gzip' }].map(more => call(serving.url, 'ListTables', {}, { host, ...more })),
  )
  expect(simple!.status).toBe(other!.status)
  expect(simple!.text).toBe(other!.text)
  return simple!.status
}

describe('the host name of a request', () => {
  it.each([
    'localhost',
    'localhost:8000',
    'LocalHost.:8000',
    'app.localhost:8000',
    '127.0.0.1',
    '127.0.0.1:1',
    '[::1]:8000',
    '192.168.1.7:8000',
  ])('the host name can be %s', async host => {
    await start()
    expect(await statusOf(host)).toBe(200)
  })

  it.each([
    'page.example',
    'page.example:8000',
    'localhost.page.example',
    'notlocalhost',
    '127.0.0.1.page.example',
    '127.1.page.example:80',
    'database',
    'host.docker.internal:8000',
    'user@localhost',
    'localhost/',
    '::1]',
    '',
  ])('the host name %j is refused on loopback, because a page could point its own name there', async host => {
    await start()
    expect(await statusOf(host)).toBe(403)
  })

  it('the refusal of a host name states the name and how to allow it', async () => {
    await start()
    const { text } = await call(serving.url, 'CreateTable', CREATE_TABLE, { host: 'page.example:8000' })
    expect(JSON.parse(text)).toEqual({
      __type: 'com.amazon.coral.service#AccessDeniedException',
      message:
        "Host 'page.example:8000': this endpoint does not answer under this name, which a web page could have pointed " +
        "here; call it as localhost, or allow the name by 'edgewise serve --allow-host' (the option allowHosts of serve()).",
    })
    expect(await tables()).toEqual([])
  })

  it('the host name is checked for every page and method', async () => {
    await start({ pages: { '/heat': () => ({ secret: 1 }) } })
    for (const path of ['/', '/heat', '/none'])
      for (const method of ['GET', 'POST', 'OPTIONS'] as const)
        expect((await send(serving.url, { method, path, headers: { host: 'page.example' } })).status).toBe(403)
  })

  it('a missing host name is accepted, because only HTTP/1.0 omits it and browsers do not use that', async () => {
    await start()
    const socket = connect(serving.port, '127.0.0.1').setEncoding('utf8')
    let received = ''
    socket.on('data', text => {
      received += text
    })
    socket.end('GET / HTTP/1.0\r\n\r\n')
    await once(socket, 'close')
    expect(received).toMatch(/^HTTP\/1\.1 200 OK/)
  })

  it('the host name can be that of a private network if the endpoint listens beyond loopback, as containers do', async () => {
    await start({ host: '0.0.0.0', onWarning: () => undefined })
    for (const host of ['database:8000', 'host.docker.internal', 'db.default.svc.cluster.local', 'nas.home.arpa'])
      expect(await statusOf(host)).toBe(200)
    for (const host of ['page.example', 'db.internal.page.example', '']) expect(await statusOf(host)).toBe(403)
  })

  it('the host name can be the name on which the endpoint listens', async () => {
    await start({ host: 'localhost' })
    expect(await statusOf('localhost')).toBe(200)
  })

  it('the host name can be any allowed name', async () => {
    await start({ allowHosts: ['Database', '.test.example', 'dynamodb.us-east-1.amazonaws.com.'] })
    for (const host of ['database:1', 'test.example', 'a.b.test.example', 'dynamodb.us-east-1.amazonaws.com'])
      expect(await statusOf(host)).toBe(200)
    for (const host of ['other', 'latest.example', 'a.database']) expect(await statusOf(host)).toBe(403)
  })

  it('any host name is accepted with a star, with required signatures, and behind a certificate', async () => {
    await start({ allowHosts: ['*'] })
    expect(await statusOf('page.example')).toBe(200)
    const signed = await serve(memory(), { port: 0, credentials: [{ accessKeyId: 'a', secretAccessKey: 'b' }] })
    expect((await call(signed.url, 'ListTables', {}, { host: 'db.example' })).text).toContain('Signature expired')
    await signed.close()
    const tls = selfSigned()
    const secure = await serve(memory(), { port: 0, tls })
    const request = get(secure.url, { rejectUnauthorized: false, headers: { host: 'db.example' } })
    const [response] = await once(request, 'response')
    expect(response.resume().statusCode).toBe(200)
    await secure.close()
  })

  it.each(['http://a', 'a:8000', 'a b', '', '.', '*.example.com', undefined])(
    'allowHosts rejects %j, which is not a host name',
    async wrong => {
      await start()
      await expect(serve(memory(), { port: 0, allowHosts: [wrong as string] })).rejects.toThrow(
        `allowHosts: '${wrong}' is not a host name; give a name without scheme and port`,
      )
    },
  )
})

describe('an endpoint that listens beyond loopback', () => {
  const warningsOf = async (options: ServeOptions) => {
    const warnings: string[] = []
    await start({ ...options, onWarning: message => warnings.push(message) })
    return warnings
  }

  it.each(['0.0.0.0', '::'])('an endpoint on %s warns that anybody can read and change the data', async host => {
    const warnings = await warningsOf({ host })
    expect(warnings).toEqual([
      `${serving.url}: other machines can read and change all data, since requests need no signature; ask for ` +
        'signatures (--signed, or the option credentials of serve()), or listen on 127.0.0.1.',
    ])
  })

  it.each([{}, { host: 'localhost' }, { host: '::1' }, { host: '127.0.0.2' }])(
    '%j does not listen beyond loopback and causes no warning',
    async options => {
      expect(await warningsOf(options)).toEqual([])
    },
  )

  it('an endpoint that requires signatures causes no warning', async () => {
    const credentials = [{ accessKeyId: 'a', secretAccessKey: 'b' }]
    expect(await warningsOf({ host: '0.0.0.0', credentials })).toEqual([])
  })
})

it('a signed request of a foreign page is refused', async () => {
  await start({ credentials: [{ accessKeyId: 'a', secretAccessKey: 'b' }] })
  const { status } = await send(serving.url, { headers: { ...SIGNED, origin: PAGE }, body: '{}' })
  expect(status).toBe(403)
})
