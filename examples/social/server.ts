import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { answerTo } from './api.js'
import { type ApiAnswer, answer } from './exchange.js'
import type { Social } from './graph.js'

const BODY_BYTES_MAX = 65_536

/** A local HTTP server with the routes of the API. */
export async function serveSocial(g: Social, port: number): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer((message, response) => {
    answered(g, message).then(
      ({ status, headers, body }) => response.writeHead(status, headers).end(body),
      // The client disconnected.
      () => response.destroy(),
    )
  })
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve))
  const { port: chosen } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${chosen}`,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeIdleConnections()
      }),
  }
}

async function answered(g: Social, message: IncomingMessage): Promise<ApiAnswer> {
  const body = await textOf(message)
  if (body === undefined) return answer(413, { code: 'request.size', message: `give ${BODY_BYTES_MAX} bytes at most` })
  const [path = '/', query = ''] = (message.url ?? '').split('?')
  return answerTo(g, {
    method: message.method ?? 'GET',
    path,
    query: Object.fromEntries(new URLSearchParams(query)),
    headers: message.headers as Record<string, string>,
    body,
  })
}

/** Reads the body. A body that is too large is still read to its end. */
async function textOf(message: IncomingMessage): Promise<string | undefined> {
  const chunks: Buffer[] = []
  let sizeBytes = 0
  for await (const chunk of message as AsyncIterable<Buffer>) {
    sizeBytes += chunk.length
    if (sizeBytes <= BODY_BYTES_MAX) chunks.push(chunk)
  }
  return sizeBytes > BODY_BYTES_MAX ? undefined : Buffer.concat(chunks).toString()
}
