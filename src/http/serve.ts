import { createServer, type Server, type ServerOptions } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import type { Store } from '../store/port.js'
import { AccessRules } from './access/access-rules.js'
import { AllowedHosts, isLoopback } from './access/allowed-hosts.js'
import { AllowedOrigins } from './access/allowed-origins.js'
import { FastConnections } from './connections/fast-connections.js'
import { MalformedRequests } from './connections/malformed-requests.js'
import { HEAD_BYTES_MAX } from './connections/simple-request.js'
import { StalledConnections } from './connections/stalled-connections.js'
import { StoreEndpoint } from './endpoint.js'
import { NodeRequestHandler } from './node-request-handler.js'
import { RequestIds } from './request-ids.js'
import { resolveServeSettings, type ServeOptions, type ServeSettings } from './serve-options.js'
import { SignatureVerifier } from './signatures/signature-verifier.js'

/** How often Node checks for requests that exceed their time, unless their limit is shorter. */
const CHECKING_INTERVAL_MS = 30_000

/** A store that is being served. */
export interface ServedStore {
  readonly url: string
  readonly port: number
  /** Stops accepting requests. Resolves when the responses in progress are complete, or after `stopMs`. */
  close(): Promise<void>
}

/**
 * Serves a store over HTTP in DynamoDB's protocol, for any client of DynamoDB.
 *
 * @param store - The store to serve, such as `memory()`.
 * @param options - The port, the address and the limits of the endpoint.
 * @returns The endpoint, with its `url`, its `port` and `close()`.
 * @throws {TypeError | RangeError} if an option is unknown or invalid.
 * @example
 * ```ts
 * import { memory } from 'edgewise/engine'
 * import { serve } from 'edgewise/http'
 *
 * const endpoint = await serve(memory(), { port: 8000 })
 * console.log(endpoint.url)
 * await endpoint.close()
 * ```
 */
export async function serve(store: Store, options: ServeOptions = {}): Promise<ServedStore> {
  const settings = resolveServeSettings(store, options)
  const { credentials, tls, region, onFailure, pages, bodyBytes, idleMs, stopMs } = settings
  const signatures = credentials === undefined ? undefined : new SignatureVerifier(credentials, settings.now)
  const origins = new AllowedOrigins(settings.cors, tls ? 'https' : 'http')
  const hosts = new AllowedHosts(settings.allowHosts)
  // A page that points its own name here has neither a secret to sign with nor a certificate for the name.
  const access = new AccessRules(origins, signatures || tls ? undefined : hosts)
  const endpoint = new StoreEndpoint(store, { region, signatures, onFailure, pages })
  const ids = new RequestIds()
  const malformedRequests = new MalformedRequests()
  const stalledConnections = new StalledConnections()
  const requestHandler = new NodeRequestHandler(endpoint, ids, {
    access,
    bodyBytesMax: bodyBytes,
    onFailure,
    malformedRequests,
    stalledConnections,
  })
  const server = createNodeServer(settings, requestHandler)
  server.on('clientError', malformedRequests.reject)
  server.setTimeout(idleMs, stalledConnections.onTimeout)
  // Signatures cover any header, and fast connections read only a few headers; they do not decrypt either.
  const connections =
    signatures || tls
      ? undefined
      : new FastConnections(server, endpoint, ids, { access, bodyBytesMax: bodyBytes, idleMs, onFailure })
  const sockets = tls ? trackSockets(server) : []
  await listen(server, settings.port, settings.host)
  const { address, port, family } = server.address() as AddressInfo
  // A connection that cannot be accepted, for example for lack of file descriptors, must not end the process.
  server.on('error', onFailure)
  hosts.setListenAddress(settings.host, address)
  const url = `${tls ? 'https' : 'http'}://${family === 'IPv6' ? `[${address}]` : address}:${port}`
  if (!isLoopback(address) && signatures === undefined) settings.onWarning(openEndpointWarning(url))
  let closed: Promise<void> | undefined
  return {
    url,
    port,
    close: () => {
      requestHandler.stop()
      closed ??= stopServer(server, connections, sockets, stopMs)
      return closed
    },
  }
}

const openEndpointWarning = (url: string) =>
  `${url}: other machines can read and change all data, since requests need no signature; ` +
  'ask for signatures (--signed, or the option credentials of serve()), or listen on 127.0.0.1.'

function createNodeServer({ requestMs, idleMs, tls }: ServeSettings, requestHandler: NodeRequestHandler): Server {
  const options: ServerOptions = {
    requestTimeout: requestMs,
    headersTimeout: requestMs,
    connectionsCheckingInterval: Math.min(requestMs, CHECKING_INTERVAL_MS),
    keepAliveTimeout: idleMs,
    maxHeaderSize: HEAD_BYTES_MAX,
    noDelay: true,
  }
  const server = tls
    ? createSecureServer(
        { ...options, handshakeTimeout: requestMs, key: toPem(tls.key), cert: toPem(tls.cert) },
        requestHandler.handle,
      )
    : createServer(options, requestHandler.handle)
  // A client that ended its side may still wait for responses.
  return Object.assign(server, { httpAllowHalfOpen: true })
}

/** Node's types expect a Buffer, which the published declarations must not name. */
function toPem(text: string | Uint8Array): string | Buffer {
  return typeof text === 'string' ? text : Buffer.from(text)
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

/** All open connections. The server itself does not list connections whose TLS handshake has not ended. */
function trackSockets(server: Server): Iterable<Socket> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  return sockets
}

async function stopServer(
  server: Server,
  connections: FastConnections | undefined,
  sockets: Iterable<Socket>,
  stopMs: number,
): Promise<void> {
  const ended = new Promise<void>(resolve => server.close(() => resolve()))
  server.closeIdleConnections()
  connections?.stop()
  const timer = setTimeout(() => {
    server.closeAllConnections()
    connections?.destroy()
    for (const socket of sockets) socket.destroy()
  }, stopMs)
  await ended
  clearTimeout(timer)
}
