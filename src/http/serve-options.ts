import { assertKnownOptions } from '../store/check-options.js'
import type { Store } from '../store/port.js'
import type { Credentials } from './signatures/credentials.js'

const PORT = 8000
const LAST_PORT = 65_535
const LOOPBACK = '127.0.0.1'
const REGION = 'us-east-1'
const BODY_BYTES = 16 * 1024 * 1024
const REQUEST_MS = 60_000
const IDLE_MS = 75_000
const STOP_MS = 10_000
/** A longer timer would fire at once. */
const LONGEST_MS = 2 ** 31 - 1

const KNOWN_OPTIONS =
  'port, host, region, credentials, tls, cors, allowHosts, bodyBytes, requestMs, idleMs, stopMs, now, onFailure, onWarning, pages'

/** Where and how a store is served. */
export interface ServeOptions {
  /** The port to listen on, 8000 by default. 0 takes any free port. */
  readonly port?: number | undefined
  /** The address to listen on, `127.0.0.1` by default, which other machines cannot reach. */
  readonly host?: string | undefined
  /** The region of requests that are not signed for a region, `us-east-1` by default. */
  readonly region?: string | undefined
  /** Answers only requests that one of these signed. Without it, any signature is accepted unread. */
  readonly credentials?: readonly Credentials[] | undefined
  /** A private key and its certificate, as PEM. The endpoint then speaks HTTPS. */
  readonly tls?: { readonly key: string | Uint8Array; readonly cert: string | Uint8Array } | undefined
  /** The origins of web pages that may call the endpoint, such as `http://localhost:3000`, or `*`. None by default. */
  readonly cors?: readonly string[] | undefined
  /**
   * Host names under which the endpoint answers in addition to `localhost` and addresses: `db.example.com`,
   * `.example.com` for its subdomains too, or `*`. Beyond loopback it also answers under names that only private
   * networks have.
   */
  readonly allowHosts?: readonly string[] | undefined
  /** The longest accepted body, before and after decompression. 16 MB by default, as the service. */
  readonly bodyBytes?: number | undefined
  /** The longest time that a request may take to arrive, in milliseconds. 60,000 by default. */
  readonly requestMs?: number | undefined
  /** How long an idle connection stays open, in milliseconds. 75,000 by default. */
  readonly idleMs?: number | undefined
  /** How long `close()` waits for the responses to requests in progress, in milliseconds. 10,000 by default. */
  readonly stopMs?: number | undefined
  /** The time in milliseconds since 1970 that signatures are checked against. The machine's clock by default. */
  readonly now?: (() => number) | undefined
  /** Receives errors that are not exceptions of the service: faults of the store or of the endpoint. */
  readonly onFailure?: ((error: unknown) => void) | undefined
  /** Receives a warning if the endpoint is open to other machines. `process.emitWarning` by default. */
  readonly onWarning?: ((message: string) => void) | undefined
  /**
   * Pages that a GET returns as JSON, by path, such as `/heat`. Endpoints that require signatures do not serve them.
   */
  readonly pages?: Readonly<Record<string, () => unknown>> | undefined
}

/** The options of an endpoint with every default filled in. */
export interface ServeSettings {
  readonly port: number
  readonly host: string
  readonly region: string
  readonly credentials: readonly Credentials[] | undefined
  readonly tls: ServeOptions['tls']
  readonly cors: readonly string[]
  readonly allowHosts: readonly string[]
  readonly bodyBytes: number
  readonly requestMs: number
  readonly idleMs: number
  readonly stopMs: number
  readonly now: () => number
  readonly onFailure: (error: unknown) => void
  readonly onWarning: (message: string) => void
  readonly pages: Readonly<Record<string, () => unknown>>
}

/** @throws {TypeError | RangeError} if an option is unknown or invalid. */
export function resolveServeSettings(store: Store, options: ServeOptions): ServeSettings {
  if (Object(store) !== store || '$layout' in store)
    throw new TypeError(
      'serve(): the first argument is not a store; give a store such as memory(), not an opened graph.',
    )
  if (typeof options !== 'object' || options === null)
    throw new TypeError(
      'serve(): the second argument has no options; give them by name, as in serve(store, { port: 8000 }).',
    )
  assertKnownOptions('serve()', options, KNOWN_OPTIONS)
  const { credentials, tls, bodyBytes = BODY_BYTES, stopMs = STOP_MS } = options
  if (tls) assertKnownOptions('tls', tls, 'key, cert')
  if (tls && !(tls.key && tls.cert))
    throw new TypeError('tls: the key or its certificate is missing; give { key, cert }, both as PEM.')
  assertInRange('bodyBytes', bodyBytes, Number.POSITIVE_INFINITY)
  assertInRange('stopMs', stopMs, LONGEST_MS)
  return {
    port: parsePort(options.port ?? PORT),
    host: options.host ?? LOOPBACK,
    region: options.region ?? REGION,
    credentials,
    tls,
    cors: assertTextList('cors', options.cors ?? []),
    allowHosts: assertTextList('allowHosts', options.allowHosts ?? []),
    bodyBytes,
    // Node itself checks the range of these two options.
    requestMs: options.requestMs ?? REQUEST_MS,
    idleMs: options.idleMs ?? IDLE_MS,
    stopMs,
    now: options.now ?? Date.now,
    onFailure: options.onFailure ?? (() => undefined),
    onWarning: options.onWarning ?? emitWarning,
    pages: options.pages ?? {},
  }
}

/**
 * Accepts a string, because a port from the environment is one. Node would take any other string for the name of a
 * pipe.
 */
function parsePort(value: number): number {
  const port = Number(value)
  if (!Number.isInteger(port) || port < 0 || port > LAST_PORT)
    throw new RangeError(`port: '${value}' is not a port; give a whole number from 0 to ${LAST_PORT}.`)
  return port
}

function assertInRange(name: string, value: number, max: number): void {
  if (value >= 0 && value <= max) return
  const range = max === Number.POSITIVE_INFINITY ? 'from 0' : `from 0 to ${max}`
  throw new RangeError(`${name}: ${value} is out of range; give a number ${range}.`)
}

function assertTextList(name: string, value: readonly string[]): readonly string[] {
  if (!Array.isArray(value)) throw new TypeError(`${name}: '${value}' is not a list; give texts in a list.`)
  return value
}

const emitWarning = (message: string) =>
  process.emitWarning(message, { type: 'EdgewiseWarning', code: 'EDGEWISE_SERVE_OPEN' })
