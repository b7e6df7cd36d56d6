import { once } from 'node:events'
import { connect } from 'node:net'
import { Client } from 'undici'
import { expect, it } from 'vitest'
import { memory } from '../../../src/engine/index.js'
import { serve } from '../../../src/http/index.js'
import { SIGNED } from '../raw-requests.js'
import { selfSigned } from './certificate.js'

const tls = selfSigned()

/** What is answered to ListTables, by HTTPS, to a client that trusts this certificate alone. */
async function tables(url: string, ca?: string): Promise<string> {
  const client = new Client(url, { connect: { ca } })
  const headers = {
    ...SIGNED,
    'content-type': 'application/x-amz-json-1.0',
    'x-amz-target': 'DynamoDB_20120810.ListTables',
  }
  try {
    const { body } = await client.request({ path: '/', method: 'POST', headers, body: '{}' })
    return await body.text()
  } finally {
    await client.destroy()
  }
}

it('answers by HTTPS who trusts its certificate, and nobody else', async () => {
  const serving = await serve(memory(), { port: 0, tls })
  expect(serving.url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/)
  expect(await tables(serving.url, tls.cert)).toBe('{"TableNames":[]}')
  await expect(tables(serving.url, selfSigned().cert)).rejects.toThrow(/certificate/)
  await expect(tables(serving.url.replace('https', 'http'))).rejects.toThrow()
  await serving.close()
})

it('asks for signatures there too', async () => {
  const credentials = [{ accessKeyId: 'a', secretAccessKey: 'b' }]
  const serving = await serve(memory(), { port: 0, tls, credentials })
  expect(await tables(serving.url, tls.cert)).toContain('InvalidSignatureException')
  await serving.close()
})

it('does not wait for ever for a handshake when it is closed', async () => {
  const serving = await serve(memory(), { port: 0, tls, stopMs: 50 })
  const socket = connect(serving.port, '127.0.0.1')
  await once(socket, 'connect')
  const ended = once(socket, 'close')
  await serving.close()
  await ended
})

it('refuses a key without its certificate', async () => {
  // @ts-expect-error: the certificate is missing
  await expect(serve(memory(), { port: 0, tls: { key: tls.key } })).rejects.toThrow('{ key, cert }')
  await expect(serve(memory(), { port: 0, tls: { ...tls, cert: selfSigned().cert } })).rejects.toThrow(/mismatch/)
})
