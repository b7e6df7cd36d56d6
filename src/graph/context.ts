import type { Layout } from '../layout/layout.js'
import type { Environment } from '../schema/declarations.js'
import type { BackoffSettings } from '../store/backoff.js'
import type { Store } from '../store/port.js'
import type { CursorCipher } from './calls/cursor-cipher.js'

/** The most that a call may take. What would pass it is not sent. */
export interface Caps {
  readonly requests?: number | undefined
  /** capacity units, read and written */
  readonly units?: number | undefined
}

/** A call or a request that begins. */
export interface TraceEvent {
  readonly kind: 'call' | 'request'
  /** `movie.get`, or the operation of DynamoDB */
  readonly name: string
  /** of a call: the table of the graph */
  readonly table?: string
  /** of a request: what is sent, and the call that it is of, as it was told */
  readonly input?: object
  readonly call?: TraceEvent
}

/** How it ended. */
export interface TraceEnd {
  readonly error?: unknown
  /** of a request: capacity units as DynamoDB told them */
  readonly units?: number
}

/** A listener's view of one call or request from its beginning to its end. */
export interface TraceScope {
  /** Runs the call or sends the request, for example while a span is active. It returns the promise of the work. */
  run<T>(work: () => Promise<T>): Promise<T>
  end(ended: TraceEnd): void
}

/** Told of every call and every request; what it answers with is told how that ended, and may run it too. */
// biome-ignore lint/suspicious/noConfusingVoidType: to TypeScript 5, what returns nothing does not return undefined
export type TraceListener = (begun: TraceEvent) => ((ended: TraceEnd) => void) | TraceScope | void

/** What keeps copies and counters of an opened graph in this process. */
export interface DerivedDataFollower {
  stop(): Promise<void>
  /** Done when all that was written before is in them. */
  settled(): Promise<void>
}

/**
 * The scope of what a listener answered with. A function is told only of the end; anything else, as the promise of an
 * async listener, is told nothing.
 */
export function traceScopeOf(result: ReturnType<TraceListener>): TraceScope | undefined {
  if (typeof result === 'function') return { run: work => work(), end: result }
  return typeof result?.run === 'function' && typeof result.end === 'function' ? result : undefined
}

/** Everything that calls of an opened graph share. */
export interface Context {
  /** Its design has the name of the table. */
  readonly layout: Layout
  /** It retries what the store refuses, and nothing else does. */
  readonly store: Store
  /** Of one that lives in this process: how it says so. */
  readonly embedded?: unknown
  /** How it does, and how a write waits for others that change the same. */
  readonly backoff: BackoffSettings
  readonly environment: Environment
  readonly tenant?: string | undefined
  readonly caps: Caps
  /** Encrypts cursors; undefined without a key. */
  readonly cursorCipher?: CursorCipher | undefined
  readonly listener: ((begun: TraceEvent) => TraceScope | undefined) | undefined
  /** Whether it was closed, and what follows it: the same object for all tenants. */
  readonly state: { isClosed: boolean; follower?: DerivedDataFollower }
}
