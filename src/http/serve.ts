import { createServer, type Server, type ServerOptions } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import type { Store } from '../store/port.js'
import { Access } from './access/access.js'
import { Hosts, isLoopback } from './access/hosts.js'
import { Origins } from './access/origins.js'
import { Connections } from './connections.js'
import { Endpoint } from './endpoint.js'
import { Exchange } from './exchange.js'
import { Malformed } from './malformed.js'
import { RequestIds } from './request-ids.js'
import { type ServeOptions, type ServeSettings, serveSettings } from './serve-options.js'
import { SignatureCheck } from './signature.js'
import { HEAD_BYTES_MAX } from './simple-request.js'
import { StalledConnections } from './stalled-connections.js'

/** How often Node looks for requests that take too long, unless they may take less time than that. */
const CHECKING_INTERVAL_MS = 30_000

/** A store that is being served. */
export interface Serving {
  readonly url: string
  readonly port: number
  /** Accepts no more requests. Resolves when those that have begun are answered, or cut off after `stopMs`. */
  close(): Promise<void>
}

/**
 * Serves a store over HTTP in DynamoDB's protocol, for any client of DynamoDB.
 *
 * @throws {TypeError | RangeError} if an option is unknown or invalid.
 */
export async function serve(store: Store, options: ServeOptions = {}): Promise<Serving> {
  const settings = serveSettings(store, options)
  const { credentials, tls, region, onFailure, pages, bodyBytes, idleMs, stopMs } = settings
  const signatures = credentials === undefined ? undefined : new SignatureCheck(credentials, settings.now)
  const origins = new Origins(settings.cors, tls ? 'https' : 'http')
  const hosts = new Hosts(settings.allowHosts)
  // A page that has pointed its name here has neither a secret to sign with nor the certificate's name.
  const access = new Access(origins, signatures || tls ? undefined : hosts)
  const endpoint = new Endpoint(store, { region, signatures, onFailure, pages })
  const ids = new RequestIds()
  const malformed = new Malformed()
  const stalled = new StalledConnections()
  const exchange = new Exchange(endpoint, ids, { access, bodyBytesMax: bodyBytes, onFailure, malformed, stalled })
  const server = newServer(settings, exchange)
  server.on('clientError', malformed.refuse)
  server.setTimeout(idleMs, stalled.onTimeout)
  // Signatures cover any header, and lanes read only a few; nor do they decrypt.
  const connections =
    signatures || tls
      ? undefined
      : new Connections(server, endpoint, ids, { access, bodyBytesMax: bodyBytes, idleMs, onFailure })
  const sockets = tls ? socketsOf(server) : []
  await listening(server, settings.port, settings.host)
  const { address, port, family } = server.address() as AddressInfo
  // A connection that cannot be accepted, as where no file descriptor is left, must not end the process.
  server.on('error', onFailure)
  hosts.listensOn(settings.host, address)
  const url = `${tls ? 'https' : 'http'}://${family === 'IPv6' ? `[${address}]` : address}:${port}`
  if (!isLoopback(address) && signatures === undefined) settings.onWarning(openText(url))
  let closed: Promise<void> | undefined
  return {
    url,
    port,
    close: () => {
      exchange.stop()
      closed ??= stop(server, connections, sockets, stopMs)
      return closed
    },
  }
}

const openText = (url: string) =>
  `${url}: other machines can read and change all data, since requests need no signature; ` +
  'ask for signatures (--signed, or the option credentials of serve()), or listen on 127.0.0.1.'

function newServer({ requestMs, idleMs, tls }: ServeSettings, exchange: Exchange): Server {
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
        { ...options, handshakeTimeout: requestMs, key: pemOf(tls.key), cert: pemOf(tls.cert) },
        exchange.handle,
      )
    : createServer(options, exchange.handle)
  // A client that sends no more may still wait for answers.
  return Object.assign(server, { httpAllowHalfOpen: true })
}

/** The types of Node take a Buffer, which the published declarations must not name. */
function pemOf(text: string | Uint8Array): string | Buffer {
  return typeof text === 'string' ? text : Buffer.from(text)
}

function listening(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

/** All open connections. The server itself does not know those whose handshake has not ended. */
function socketsOf(server: Server): Iterable<Socket> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  return sockets
}

async function stop(
  server: Server,
  connections: Connections | undefined,
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
