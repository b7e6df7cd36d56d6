import { createServer, type Server } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'
import { checkKnown } from '../store/known-options.js'
import type { Store } from '../store/port.js'
import { Connections } from './connections.js'
import type { Credentials } from './credentials.js'
import { Endpoint } from './endpoint.js'
import { Exchange } from './exchange.js'
import { Malformed } from './malformed.js'
import { RequestIds } from './request-ids.js'
import { SignatureCheck } from './signature.js'

const PORT = 8000
const LAST_PORT = 65_535
const LOOPBACK = '127.0.0.1'
const REGION = 'us-east-1'
const BODY_BYTES = 16 * 1024 * 1024
const REQUEST_MS = 60_000
const IDLE_MS = 75_000
const STOP_MS = 10_000
/** A timer of more would end at once. */
const LONGEST_MS = 2 ** 31 - 1

const KNOWN = 'port, host, region, credentials, tls, bodyBytes, requestMs, idleMs, stopMs, now, onFailure, pages'

/** Where and how a store is served. */
export interface ServeOptions {
  /** 8000 unless told otherwise; 0 takes any that is free. */
  readonly port?: number | undefined
  /** The address to listen on; only this machine's own unless told otherwise. */
  readonly host?: string | undefined
  /** The region of requests that are not signed for one, `us-east-1` unless told otherwise. */
  readonly region?: string | undefined
  /** Only requests signed by one of these are answered; any are where none are given. */
  readonly credentials?: readonly Credentials[] | undefined
  /** A private key and its certificate, as PEM: it is then served by HTTPS. */
  readonly tls?: { readonly key: string | Uint8Array; readonly cert: string | Uint8Array } | undefined
  /** The longest body that is taken, compressed or not. 16 MB, as the service, unless told otherwise. */
  readonly bodyBytes?: number | undefined
  /** How long a request may take to arrive. 60,000 unless told otherwise. */
  readonly requestMs?: number | undefined
  /** How long a connection is kept with nothing on it. 75,000 unless told otherwise. */
  readonly idleMs?: number | undefined
  /** How long requests under way may take to be answered once the endpoint is closed. 10,000 unless told otherwise. */
  readonly stopMs?: number | undefined
  /** The time in milliseconds since 1970 by which signatures expire, where the clock of the machine is not wanted. */
  readonly now?: (() => number) | undefined
  /** Told of what is no exception of the service: the store, or the endpoint, has a fault. Nothing unless given. */
  readonly onFailure?: ((error: unknown) => void) | undefined
  /** More that is answered in JSON to a GET, by path, such as `/heat`; never where requests must be signed. */
  readonly pages?: Readonly<Record<string, () => unknown>> | undefined
}

/** A store that is being served. */
export interface Serving {
  readonly url: string
  readonly port: number
  /** Takes no more requests; resolves when those under way are answered, or cut off after `stopMs`. */
  close(): Promise<void>
}

/** Answers DynamoDB's protocol over HTTP from any store, for every client there is. */
export async function serve(store: Store, options: ServeOptions = {}): Promise<Serving> {
  if (Object(store) !== store || '$layout' in store)
    throw new TypeError('serve() takes a store, as memory(), and not a graph that was opened on one')
  if (typeof options !== 'object' || options === null)
    throw new TypeError('serve() takes options by name: serve(store, { port: 8000 })')
  checkKnown('serve()', options, KNOWN)
  const { region = REGION, bodyBytes = BODY_BYTES, credentials, requestMs = REQUEST_MS, idleMs = IDLE_MS } = options
  const { onFailure = () => undefined, tls, stopMs = STOP_MS } = options
  if (tls && !(tls.key && tls.cert)) throw new TypeError('tls takes a key and its certificate: { key, cert }')
  if (tls) checkKnown('tls', tls, 'key, cert')
  // A port as the environment has it is a text, and any other text would be the name of a pipe.
  const listened = Number(options.port ?? PORT)
  if (!Number.isInteger(listened) || listened < 0 || listened > LAST_PORT)
    throw new RangeError(`port is ${options.port}: give a whole number from 0 to ${LAST_PORT}`)
  within('bodyBytes', bodyBytes)
  within('stopMs', stopMs, LONGEST_MS)
  const signatures = credentials === undefined ? undefined : new SignatureCheck(credentials, options.now ?? Date.now)
  const endpoint = new Endpoint(store, { region, signatures, onFailure, pages: options.pages ?? {} })
  const ids = new RequestIds()
  const malformed = new Malformed()
  const exchange = new Exchange(endpoint, ids, { bodyBytesMax: bodyBytes, onFailure, malformed })
  const settings = {
    requestTimeout: requestMs,
    headersTimeout: requestMs,
    connectionsCheckingInterval: Math.min(requestMs, REQUEST_MS / 2),
    keepAliveTimeout: idleMs,
    noDelay: true,
  }
  const server = tls
    ? createSecureServer(
        { ...settings, handshakeTimeout: requestMs, key: pemOf(tls.key), cert: pemOf(tls.cert) },
        exchange.handle,
      )
    : createServer(settings, exchange.handle)
  // A client that sends no more may still wait for answers.
  Object.assign(server, { httpAllowHalfOpen: true })
  server.on('clientError', malformed.refuse)
  // Signatures cover any header, and lanes read only a few; nor do they decipher.
  const connections =
    signatures || tls
      ? undefined
      : new Connections(server, endpoint, ids, { bodyBytesMax: bodyBytes, idleMs, onFailure })
  const sockets = tls ? socketsOf(server) : []
  await listening(server, listened, options.host ?? LOOPBACK)
  const { address, port, family } = server.address() as AddressInfo
  const url = `${tls ? 'https' : 'http'}://${family === 'IPv6' ? `[${address}]` : address}:${port}`
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

/** Refuses what would be no bound at all, or none that a timer can wait for; the others Node looks at. */
function within(name: string, value: number, most = Number.POSITIVE_INFINITY): void {
  if (!(value >= 0 && value <= most))
    throw new RangeError(`${name} is ${value}: give a number from 0${most === LONGEST_MS ? ` to ${most}` : ''}`)
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

/** All connections that are open: those whose handshake is under way the server knows nothing of. */
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

/** The types of Node take a Buffer, which the published declarations must not name. */
function pemOf(text: string | Uint8Array): string | Buffer {
  return typeof text === 'string' ? text : Buffer.from(text)
}
