import { once } from 'node:events'
import { connect } from 'node:net'
import { Client } from 'undici'
import { expect, it } from 'vitest'
import { memory } from '../../../src/engine/index.js'
import { serve } from '../../../src/http/index.js'
import { SIGNED } from '../raw-requests.js'
import { selfSigned } from './certificate.js'

const tls = selfSigned()

/** The response to ListTables over HTTPS, for a client that trusts only this certificate. */
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

it('HTTPS responds to clients that trust its certificate, and to no others', async () => {
  const serving = await serve(memory(), { port: 0, tls })
  expect(serving.url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/)
  expect(await tables(serving.url, tls.cert)).toBe('{"TableNames":[]}')
  await expect(tables(serving.url, selfSigned().cert)).rejects.toThrow(/certificate/)
  await expect(tables(serving.url.replace('https', 'http'))).rejects.toThrow()
  await serving.close()
})

it('HTTPS can require signatures', async () => {
  const credentials = [{ accessKeyId: 'a', secretAccessKey: 'b' }]
  const serving = await serve(memory(), { port: 0, tls, credentials })
  expect(await tables(serving.url, tls.cert)).toContain('InvalidSignatureException')
  await serving.close()
})

it('closing does not wait indefinitely for a TLS handshake', async () => {
  const serving = await serve(memory(), { port: 0, tls, stopMs: 50 })
  const socket = connect(serving.port, '127.0.0.1')
  await once(socket, 'connect')
  const ended = once(socket, 'close')
  await serving.close()
  await ended
})

it('a key without its certificate is rejected', async () => {
  // @ts-expect-error: the certificate is missing
  await expect(serve(memory(), { port: 0, tls: { key: tls.key } })).rejects.toThrow('{ key, cert }')
  await expect(serve(memory(), { port: 0, tls: { ...tls, cert: selfSigned().cert } })).rejects.toThrow(/mismatch/)
})
