import { GET_RECORDS } from '../../dynamodb/limits.js'
import type { ChangeRecord } from '../../dynamodb/operations/streams.js'
import type { AbortSignalLike } from '../../store/abort-signal.js'
import { systemClock } from '../../store/backoff.js'
import type { FollowEvent } from './events.js'
import type { Gap } from './gap.js'

/** How a stream is followed. */
export interface FollowOptions {
  /** The name of the table; that of the graph unless said. */
  readonly table?: string | undefined
  /** The small table with checkpoints, leases and dead letters; the table's name and `-consumers` unless said. */
  readonly consumers?: string | undefined
  /** Makes that small table where it is missing. On an embedded store it is made unless told not to. */
  readonly create?: boolean | undefined
  /** Followers of one group share the shards of the stream; `derived` unless said. */
  readonly group?: string | undefined
  /** The name of this one among the followers of its group; a random one unless said. */
  readonly name?: string | undefined
  /** How long a shard stays with a follower that says nothing; 30,000 unless said. Clocks must agree better than that. */
  readonly leaseMs?: number | undefined
  /** How long a shard without news is left alone; 1,000 unless said. */
  readonly pollMs?: number | undefined
  /** How many records are read and handled at once, up to 1,000; 500 unless said. */
  readonly batchSize?: number | undefined
  /** How often a record is tried that fails by its own fault, before it goes to the dead letters; 5 unless said. */
  readonly attempts?: number | undefined
  /** How long a record is tried that fails since the store is busy or away; an hour unless said. */
  readonly patienceMs?: number | undefined
  /** How long the stream may take to show a change: 3,000 unless said, and nothing on an embedded store. */
  readonly visibleMs?: number | undefined
  /** Milliseconds since 1970. */
  readonly clock?: (() => number) | undefined
  readonly random?: ((bytes: number) => Uint8Array) | undefined
  /** Waits, and rejects as soon as the signal is aborted. */
  readonly sleep?: ((delayMs: number, signal: AbortSignalLike) => Promise<void>) | undefined
  /** Stops it. */
  readonly signal?: AbortSignalLike | undefined
  /** Told what happens; unless given, failures, dead letters and gaps that nobody heals are warnings of the process. */
  readonly listener?: ((event: FollowEvent) => void) | undefined
  /** Gets every record once what it asks for was done; where it throws, the records come again. */
  readonly records?: ((records: readonly ChangeRecord[]) => void | Promise<void>) | undefined
  /** Told of a gap that was just found. */
  readonly onGap?: ((gap: Gap) => void) | undefined
  /** Mends what may have become stale in a gap. A gap stays open, and is told by `stats`, until this was done. */
  readonly heal?: ((gap: Gap) => Promise<void>) | undefined
}

/** The names of those that are functions, and of all. */
export const FOLLOW_CALLBACK_NAMES = 'clock, random, sleep, listener, records, onGap, heal'
export const FOLLOW_OPTION_NAMES = `table, consumers, create, group, name, leaseMs, pollMs, batchSize, attempts, patienceMs, visibleMs, signal, ${FOLLOW_CALLBACK_NAMES}`

/** What only a store in the same process can tell. */
export interface EmbeddedStreamInfo {
  /** Whether a shard had records after a sequence number, or at all, that are gone. */
  readonly hasMissed: (streamArn: string, shardId: string, after: string | undefined) => boolean
  /** Whether records may be removed before they are a day old. */
  readonly trimsEarly: boolean
  /** The sequence number through which the records of a shard were removed; undefined where none was. */
  readonly trimmedThrough: (streamArn: string, shardId: string) => string | undefined
}

/** The options with what was not said filled in. */
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
  /** How many pages without records, one after the other, are taken for the end of what there is. */
  readonly emptyPages: number
  readonly clock: () => number
  /** A number in [0, 1). */
  readonly random: () => number
  readonly sleep: (delayMs: number, signal: AbortSignalLike) => Promise<void>
  readonly listener: (event: FollowEvent) => void
  readonly records: FollowOptions['records']
  readonly onGap: (gap: Gap) => void
  readonly heal: FollowOptions['heal']
  readonly embeddedStream: EmbeddedStreamInfo | undefined
  /** How often a follower that waits for the others of its group asks them how far they are. */
  readonly progressRequestMs: number
  /** Whether it sleeps until something is written, and so says only then how far it is. */
  readonly isWokenByWrites: boolean
}

const LEASE_MS = 30_000
const POLL_MS = 1_000
const BATCH_SIZE = 500
const ATTEMPTS = 5
const PATIENCE_MS = 3_600_000
const VISIBLE_MS = 3_000
/** A lease is renewed, and shards are looked for, so often in its time. */
const ROUNDS_IN_LEASE = 3
const NAME_BYTES = 8
const PROGRESS_REQUEST_MS = 100
/** DynamoDB may answer without records where there are some further on in the shard, and does not say that there are. */
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
    name: options.name ?? Array.from(random(NAME_BYTES), byte => byte.toString(16).padStart(2, '0')).join(''),
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

/** The group of those who keep what is derived. */
export const DEFAULT_GROUP = 'derived'

/** Refuses a number that is out of its range, or none. */
export function assertInRange(name: string, value: number, min: number, max = Number.POSITIVE_INFINITY): void {
  if (value >= min && value <= max) return
  throw new RangeError(`${name} is ${value}: give a number from ${min}${max === GET_RECORDS ? ` to ${max}` : ''}`)
}

/** Whoever is told cannot break what tells, whether it throws or rejects. */
function withErrorsReported<Told>(
  callback: (value: Told) => unknown,
  onError: (error: unknown) => void,
): (value: Told) => void {
  return value => {
    void (async () => callback(value))().catch(onError)
  }
}

/** What nobody listens to must not pass unseen. */
function warnOfEvent(event: FollowEvent): void {
  const text = warningTextOf(event)
  if (text !== undefined) process.emitWarning(text, { type: 'EdgewiseWarning', code: 'EDGEWISE_FOLLOW' })
}

function warningTextOf(event: FollowEvent): string | undefined {
  switch (event.kind) {
    case 'error':
      return `following the stream failed, and is tried again: ${event.error}`
    case 'dead':
      return `a record of the stream could not be handled and is among the dead letters: ${event.error}`
    case 'gap':
      return `changes may have been missed (${event.gap.reason}): what is derived from them must be verified`
    case 'disabled':
      return `the stream of the table is disabled: what is derived from it is not kept`
    default:
      return undefined
  }
}
