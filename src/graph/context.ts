import type { Layout } from '../layout/layout.js'
import type { Environment } from '../schema/declarations.js'
import type { BackoffSettings } from '../store/backoff.js'
import type { DerivedDataFollower } from '../store/embedded.js'
import type { Store } from '../store/port.js'
import type { CursorCipher } from './calls/cursor-cipher.js'

/** The limits of a call. A request that could exceed a limit is not sent. */
export interface Caps {
  readonly requests?: number | undefined
  /** capacity units, read and written */
  readonly units?: number | undefined
}

/** The start of a call or a request. */
export interface TraceEvent {
  readonly kind: 'call' | 'request'
  /** `movie.get`, or the DynamoDB operation */
  readonly name: string
  /** of a call: the table of the graph */
  readonly table?: string
  /** of a request: its input, and the event of the call that sends it */
  readonly input?: object
  readonly call?: TraceEvent
}

/** The end of a call or a request. */
export interface TraceEnd {
  readonly error?: unknown
  /** of a request: capacity units as reported by DynamoDB */
  readonly units?: number
}

/** A listener's view of one call or request from its beginning to its end. */
export interface TraceScope {
  /** Runs the call or sends the request, for example while a span is active. It returns the promise of the work. */
  run<T>(work: () => Promise<T>): Promise<T>
  end(ended: TraceEnd): void
}

/** Receives the start of every call and request. Its result, if any, receives the end, and may wrap the work. */
// biome-ignore lint/suspicious/noConfusingVoidType: in TypeScript 5 a function without a return value does not return undefined
export type TraceListener = (begun: TraceEvent) => ((ended: TraceEnd) => void) | TraceScope | void

/**
 * The scope of a listener's result. A function is only called at the end. Any other result, for example the promise
 * of an async listener, is ignored.
 */
export function traceScopeOf(result: ReturnType<TraceListener>): TraceScope | undefined {
  if (typeof result === 'function') return { run: work => work(), end: result }
  return typeof result?.run === 'function' && typeof result.end === 'function' ? result : undefined
}

/** The state that all calls of an opened graph share. */
export interface Context {
  /** The layout, whose design has the name of the table. */
  readonly layout: Layout
  /** The store with retries. Callers of the store do not retry. */
  readonly store: Store
  /** Whether the store is in this process, so that requests have no latency. */
  readonly isEmbedded: boolean
  /** The backoff of retries, and of writes that conflict with concurrent changes. */
  readonly backoff: BackoffSettings
  readonly environment: Environment
  readonly tenant?: string | undefined
  readonly caps: Caps
  /** Encrypts cursors; undefined without a key. */
  readonly cursorCipher?: CursorCipher | undefined
  readonly listener: ((begun: TraceEvent) => TraceScope | undefined) | undefined
  /** Whether the graph is closed, and its follower. All tenants share this object. */
  readonly state: { isClosed: boolean; follower?: DerivedDataFollower }
}
