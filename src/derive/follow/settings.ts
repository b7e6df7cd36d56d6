import { GET_RECORDS } from '../../dynamodb/limits.js'
import type { ChangeRecord } from '../../dynamodb/operation-types.js'
import { hexOf } from '../../layout/keys/hex.js'
import type { AbortSignalLike } from '../../store/abort-signal.js'
import { systemClock } from '../../store/backoff.js'
import type { FollowEvent } from './events.js'
import type { Gap } from './gap.js'

/** Options of `follow()`. */
export interface FollowOptions {
  /** Name of the table. Default: the table name in the design. */
  readonly table?: string | undefined
  /**
   * Name of the table for checkpoints, leases and dead letters. Default: the table name with the suffix `-consumers`.
   */
  readonly consumers?: string | undefined
  /** Whether to create the checkpoint table if it does not exist. Default: true on an embedded store, else false. */
  readonly create?: boolean | undefined
  /** Name of the group. Followers of one group share the shards of the stream. Default: `derived`. */
  readonly group?: string | undefined
  /** Name of this follower in its group. Default: a random name. */
  readonly name?: string | undefined
  /**
   * Milliseconds after which the lease of an unresponsive follower expires. Clocks must differ by less. Default:
   * 30,000.
   */
  readonly leaseMs?: number | undefined
  /** Milliseconds between reads of a shard without new records. Default: 1,000. */
  readonly pollMs?: number | undefined
  /** Number of records that are read and handled together, at most 1,000. Default: 500. */
  readonly batchSize?: number | undefined
  /** Number of attempts for a record that fails permanently, before it becomes a dead letter. Default: 5. */
  readonly attempts?: number | undefined
  /** Milliseconds of retries for a record that fails because the store is busy or unreachable. Default: 3,600,000. */
  readonly patienceMs?: number | undefined
  /** Milliseconds until a change appears in the stream. Default: 3,000, and 0 on an embedded store. */
  readonly visibleMs?: number | undefined
  /** Returns the current time in milliseconds since 1970. Default: the system clock. */
  readonly clock?: (() => number) | undefined
  readonly random?: ((bytes: number) => Uint8Array) | undefined
  /** Waits for the delay. Rejects as soon as the signal is aborted. */
  readonly sleep?: ((delayMs: number, signal: AbortSignalLike) => Promise<void>) | undefined
  /** Stops the follower when aborted. */
  readonly signal?: AbortSignalLike | undefined
  /** Called with every event. Default: failures, dead letters and gaps without `heal` emit process warnings. */
  readonly listener?: ((event: FollowEvent) => void) | undefined
  /** Called with records after they were handled. If it throws, the records are handled again. */
  readonly records?: ((records: readonly ChangeRecord[]) => void | Promise<void>) | undefined
  /** Called when a gap is found. */
  readonly onGap?: ((gap: Gap) => void) | undefined
  /** Repairs data that may be stale after a gap. The gap stays open, and in `stats()`, until this resolves. */
  readonly heal?: ((gap: Gap) => Promise<void>) | undefined
}

/** Names of the callback options, and of all options. */
export const FOLLOW_CALLBACK_NAMES = 'clock, random, sleep, listener, records, onGap, heal'
export const FOLLOW_OPTION_NAMES = `table, consumers, create, group, name, leaseMs, pollMs, batchSize, attempts, patienceMs, visibleMs, signal, ${FOLLOW_CALLBACK_NAMES}`

/** Information about the stream that only an embedded store has. */
export interface EmbeddedStreamInfo {
  /** Whether records of a shard after this sequence number, or any records, were removed. */
  readonly hasMissed: (streamArn: string, shardId: string, after: string | undefined) => boolean
  /** Whether the store may remove records before they are a day old. */
  readonly trimsEarly: boolean
  /** Returns the sequence number through which records of a shard were removed, or undefined if none were. */
  readonly trimmedThrough: (streamArn: string, shardId: string) => string | undefined
}

/** The options with their defaults filled in. */
export interface FollowSettings {
  readonly group: string
  readonly name: string
  readonly leaseMs: number
  readonly pollMs: number
  readonly roundMs: number
  readonly batchSize: number
  readonly attempts: number
  readonly patienceMs: number
  readonly visibleMs: number
  /** Number of consecutive empty pages that count as the end of the available records. */
  readonly emptyPages: number
  readonly clock: () => number
  /** Returns a number in [0, 1). */
  readonly random: () => number
  readonly sleep: (delayMs: number, signal: AbortSignalLike) => Promise<void>
  readonly listener: (event: FollowEvent) => void
  readonly records: FollowOptions['records']
  readonly onGap: (gap: Gap) => void
  readonly heal: FollowOptions['heal']
  readonly embeddedStream: EmbeddedStreamInfo | undefined
  /** Interval of progress requests to other followers, in milliseconds. */
  readonly progressRequestMs: number
  /** Whether the follower sleeps until the next write, and saves its checkpoint only then. */
  readonly isWokenByWrites: boolean
}

const LEASE_MS = 30_000
const POLL_MS = 1_000
const BATCH_SIZE = 500
const ATTEMPTS = 5
const PATIENCE_MS = 3_600_000
const VISIBLE_MS = 3_000
/** Number of renewals, and of rounds, per lease time. */
const ROUNDS_IN_LEASE = 3
const NAME_BYTES = 8
const PROGRESS_REQUEST_MS = 100
/** DynamoDB may return empty pages although later pages of the shard contain records. */
const EMPTY_PAGES = 5

export function resolveFollowSettings(
  options: FollowOptions,
  embedded: boolean,
  embeddedStream?: EmbeddedStreamInfo,
): FollowSettings {
  const { leaseMs = LEASE_MS, pollMs = POLL_MS, batchSize = BATCH_SIZE, attempts = ATTEMPTS } = options
  const { patienceMs = PATIENCE_MS, visibleMs = embedded ? 0 : VISIBLE_MS } = options
  assertInRange('leaseMs', leaseMs, 1)
  assertInRange('pollMs', pollMs, 0)
  assertInRange('batchSize', batchSize, 1, GET_RECORDS)
  assertInRange('attempts', attempts, 1)
  assertInRange('patienceMs', patienceMs, 0)
  assertInRange('visibleMs', visibleMs, 0)
  const random = options.random ?? (bytes => crypto.getRandomValues(new Uint8Array(bytes)))
  const listener = withErrorsReported(
    options.listener ?? (event => (event.kind === 'gap' && options.heal ? undefined : warnOfEvent(event))),
    error => warnOfEvent({ kind: 'error', error }),
  )
  return {
    group: options.group ?? DEFAULT_GROUP,
    name: options.name ?? hexOf(random(NAME_BYTES)),
    leaseMs,
    pollMs,
    roundMs: leaseMs / ROUNDS_IN_LEASE,
    batchSize,
    attempts,
    patienceMs,
    visibleMs,
    emptyPages: embedded ? 1 : EMPTY_PAGES,
    clock: options.clock ?? (() => Date.now()),
    random: () => random(1)[0]! / 256,
    sleep: options.sleep ?? systemClock.sleep,
    listener,
    records: options.records,
    onGap: withErrorsReported(options.onGap ?? (() => undefined), error => listener({ kind: 'error', error })),
    heal: options.heal,
    embeddedStream,
    progressRequestMs: embedded ? PROGRESS_REQUEST_MS : leaseMs / ROUNDS_IN_LEASE,
    isWokenByWrites: embeddedStream !== undefined,
  }
}

/** The default group: followers that maintain derived data. */
export const DEFAULT_GROUP = 'derived'

/** Throws if a number is out of range or not a number. */
export function assertInRange(name: string, value: number, min: number, max = Number.POSITIVE_INFINITY): void {
  if (value >= min && value <= max) return
  throw new RangeError(
    `${name}: ${value} is out of range; give a number from ${min}${max === GET_RECORDS ? ` to ${max}` : ''}.`,
  )
}

/** Wraps a callback so that its errors, thrown or rejected, are reported and cannot stop the caller. */
function withErrorsReported<Told>(
  callback: (value: Told) => unknown,
  onError: (error: unknown) => void,
): (value: Told) => void {
  return value => {
    void (async () => callback(value))().catch(onError)
  }
}

/** Emits a process warning for events that would otherwise go unnoticed. */
function warnOfEvent(event: FollowEvent): void {
  const text = warningTextOf(event)
  if (text !== undefined) process.emitWarning(text, { type: 'EdgewiseWarning', code: 'EDGEWISE_FOLLOW' })
}

function warningTextOf(event: FollowEvent): string | undefined {
  switch (event.kind) {
    case 'error':
      return `following the stream failed and will be retried: ${event.error}`
    case 'dead':
      return `a stream record could not be handled and was stored as a dead letter: ${event.error}`
    case 'gap':
      return `changes may have been missed (${event.gap.reason}): check derived data with verify()`
    case 'disabled':
      return `the stream of the table is disabled: derived data is not updated`
    default:
      return undefined
  }
}
