import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../engine/disk/temporary-folder.js'
import { selfSigned } from '../../http/connections/certificate.js'
import { call, send } from '../../http/raw-requests.js'
import { builtCommand, Running } from '../command.js'

const file = await builtCommand()
const started: Running[] = []
const run = (words: string[], environment: Record<string, string> = {}) => {
  const running = new Running(file, words, environment)
  started.push(running)
  return running
}
afterEach(async () => {
  for (const { process, ended } of started.splice(0)) {
    process.kill('SIGKILL')
    await ended
  }
})

const serveJson = async (words: string[] = [], environment: Record<string, string> = {}) => {
  const running = run(['serve', '--port', '0', '--json', ...words], environment)
  return { running, ...(JSON.parse(await running.line()) as { url: string; port: number }) }
}

describe('edgewise serve', () => {
  it('serve prints its URL and responds there', async () => {
    const running = run(['serve', '--port', '0'])
    const line = await running.line()
    expect(line).toMatch(
      /^DynamoDB endpoint ready at http:\/\/127\.0\.0\.1:\d+ \(data in memory\)\. Press Ctrl-C to stop\.$/,
    )
    expect((await call(/http:\S+/.exec(line)![0], 'ListTables', {})).text).toBe('{"TableNames":[]}')
  })

  it('serve prints its URL as JSON', async () => {
    const { url, port } = await serveJson()
    expect(url).toBe(`http://127.0.0.1:${port}`)
  })

  it.each(['SIGINT', 'SIGTERM'] as const)('serve stops on %s', async signal => {
    const { running, url } = await serveJson()
    await call(url, 'ListTables', {})
    running.process.kill(signal)
    expect(await running.ended).toMatchObject({ code: 0, signal: null, errors: '' })
    await expect(call(url, 'ListTables', {})).rejects.toThrow()
  })

  it('serve stops at once on a second signal', async () => {
    const { running, port } = await serveJson()
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => undefined)
    await once(socket, 'connect')
    // Half a request, for which a graceful stop waits.
    socket.write('POST / HTTP/1.1\r\nHost: here\r\n')
    await sleep(200)
    running.process.kill('SIGINT')
    await sleep(200)
    expect(running.process.exitCode).toBe(null)
    running.process.kill('SIGINT')
    expect(await running.ended).toMatchObject({ code: 130 })
    socket.destroy()
  })

  it('serve fails with advice if the port is in use', async () => {
    const { port } = await serveJson()
    expect(await run(['serve', '--port', String(port)]).ended).toEqual({
      code: 1,
      signal: null,
      output: '',
      errors: `port ${port} of 127.0.0.1: another process uses it; stop that process, or choose another port with --port.\n`,
    })
  })

  it('serve fails if the machine does not have the address', async () => {
    const { code, errors } = await run(['serve', '--port', '0', '--host', '203.0.113.1']).ended
    expect({ code, errors }).toEqual({
      code: 1,
      errors: '--host: this machine does not have the address 203.0.113.1; give one of its addresses.\n',
    })
  })

  it('serve can require signed requests', async () => {
    const AWS = { AWS_ACCESS_KEY_ID: 'key', AWS_SECRET_ACCESS_KEY: 'secret' }
    const { url } = await serveJson(['--signed'], AWS)
    expect((await call(url, 'ListTables', {})).text).toContain('Signature expired')
    expect(await run(['serve', '--port', '0', '--signed']).ended).toMatchObject({
      code: 1,
      errors: '--signed: AWS_ACCESS_KEY_ID or AWS_SECRET_ACCESS_KEY is not set; set both in the environment.\n',
    })
  })

  it('serve supports HTTPS with a key and its certificate', async () => {
    const folder = temporaryFolder()
    const [key, cert, other] = ['key.pem', 'cert.pem', 'other.pem'].map(name => join(folder, name)) as [
      string,
      string,
      string,
    ]
    const tls = selfSigned()
    for (const [file, text] of [
      [key, tls.key],
      [cert, tls.cert],
      [other, selfSigned().cert],
    ] as const)
      writeFileSync(file, text)
    const { url } = await serveJson(['--tls-key', key, '--tls-cert', cert])
    expect(url).toMatch(/^https:/)
    for (const [words, why] of [
      [['--tls-key', key], 'HTTPS requires a private key and its certificate; give --tls-key and --tls-cert.\n'],
      [['--tls-key', key, '--tls-cert', `${cert}.no`], `${cert}.no: the file does not exist; check the path.\n`],
      [['--tls-key', key, '--tls-cert', other], `${key}: this is not the private key of the certificate ${other} (`],
    ] as const) {
      const { code, errors } = await run(['serve', '--port', '0', ...(words as readonly string[])]).ended
      expect([code, errors]).toEqual([1, expect.stringContaining(why)])
    }
  })

  it('serve rejects web pages and foreign host names, except allowed ones', async () => {
    const foreign = (url: string, headers: Record<string, string>) => call(url, 'ListTables', {}, headers)
    const page = { origin: 'http://page.example' }
    const name = { host: 'page.example' }
    const { url } = await serveJson()
    for (const headers of [page, name]) expect((await foreign(url, headers)).status).toBe(403)
    const more = ['--cors', 'http://a.example,http://page.example', 'http://b.example', '--allow-host', 'page.example']
    const allowing = await serveJson(more)
    for (const headers of [page, name]) expect((await foreign(allowing.url, headers)).status).toBe(200)
    expect((await foreign(allowing.url, page)).headers['access-control-allow-origin']).toBe(page.origin)
    expect(await run(['serve', '--port', '0', '--cors', 'page.example']).ended).toMatchObject({
      code: 1,
      errors:
        "cors: 'page.example' is not an origin; give scheme and host, such as 'http://localhost:3000', or '*' for every page.\n",
    })
  })

  it('serve warns if other machines can reach it without signatures', async () => {
    const { running, url } = await serveJson(['--host', '0.0.0.0'])
    running.process.kill('SIGTERM')
    expect((await running.ended).errors).toBe(
      `Warning: ${url}: other machines can read and change all data, since requests need no signature; ask for ` +
        'signatures (--signed, or the option credentials of serve()), or listen on 127.0.0.1.\n',
    )
  })

  it('serve has a configurable region', async () => {
    const { url } = await serveJson(['--region', 'eu-west-2'])
    expect((await send(url, { method: 'GET' })).text).toBe('healthy: dynamodb.eu-west-2.amazonaws.com ')
  })
})

describe('edgewise', () => {
  it.each([
    [['serve', '--port', 'x'], "error: option '-p, --port <number>' argument 'x' is invalid."],
    [['serve', '--port', '65536'], 'Give a whole number from 0 to 65535.'],
    [['serve', '--prot', '1'], "error: unknown option '--prot'\n(Did you mean --port?)"],
    [['sevre'], "error: unknown command 'sevre'\n(Did you mean serve?)"],
    [['help', 'sevre'], "error: unknown command 'sevre'\n(Did you mean serve?)"],
    [['serve', 'more'], 'error: too many arguments'],
  ])('edgewise rejects the usage %j', async (words, message) => {
    const { code, errors, output } = await run(words).ended
    expect({ code, output }).toEqual({ code: 2, output: '' })
    expect(errors).toContain(message)
  })

  it('edgewise prints its help without a command', async () => {
    const { code, errors } = await run([]).ended
    expect(code).toBe(2)
    expect(errors).toContain('Usage: edgewise [options] [command]')
  })

  it('edgewise prints examples in the help of a command', async () => {
    const { code, output } = await run(['serve', '--help']).ended
    expect(code).toBe(0)
    expect(output).toContain('$ aws dynamodb list-tables --endpoint-url http://127.0.0.1:8000')
  })

  it('edgewise prints its version', async () => {
    expect(await run(['--version']).ended).toMatchObject({
      code: 0,
      output: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
    })
  })
})

describe('edgewise serve --path', () => {
  const TABLE = {
    TableName: 'kept',
    AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
    KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
    BillingMode: 'PAY_PER_REQUEST',
  }

  it.each(['SIGKILL', 'SIGTERM'] as const)('serve --path keeps acknowledged writes after %s', async signal => {
    const path = temporaryFolder()
    const first = await serveJson(['--path', path])
    await call(first.url, 'CreateTable', TABLE)
    first.running.process.kill(signal)
    await first.running.ended
    const second = await serveJson(['--path', path])
    expect((await call(second.url, 'ListTables', {})).text).toBe('{"TableNames":["kept"]}')
  })

  it('serve --path prints its folder, and names the process that uses it', async () => {
    const path = temporaryFolder()
    const running = run(['serve', '--port', '0', '--path', path])
    expect(await running.line()).toContain(` (data in ${path}). `)
    expect(await run(['serve', '--port', '0', '--path', path]).ended).toMatchObject({
      code: 1,
      errors: `${path}: the folder is already open in process ${running.process.pid}; close it there first.\n`,
    })
  })
})
