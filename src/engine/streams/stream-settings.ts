import { assertKnownOptions } from '../../store/check-options.js'
import { type Delay, parseDelay, type SimulatedDelay } from '../simulated-delay.js'

/** A shard as it is when a stream asks whether to split it. */
export interface ShardState {
  readonly tableName: string
  readonly shardId: string
  readonly records: number
  readonly sizeBytes: number
}

/** How the streams of an engine are cut into shards, and how their records reach a reader. */
export interface StreamOptions {
  /** How many shards a new stream has; one unless said. */
  readonly shards?: number | undefined
  /** A shard is split in two before the record that would be one more; never unless said. */
  readonly splitAfterRecords?: number | undefined
  /** The same by the sizes of the records together. */
  readonly splitAfterBytes?: number | undefined
  /** A shard of this age closes and another takes its place; four hours unless said, as the service does it. */
  readonly rollAfterMs?: number | undefined
  /** Asked before every record that a shard takes, for a split at a moment of one's own. */
  readonly splitWhen?: ((shard: ShardState) => boolean) | undefined
  /** How long a reader does not see a record yet, nor those after it in its shard; no time at all unless said. */
  readonly lag?: Delay | undefined
  /**
   * How often, from 0 to 1, the iterator that follows a page of records leads back into it, so that records come again, in
   * their order, as they do to a consumer that failed. Going on, none comes more than twice. Never unless said.
   */
  readonly repeats?: number | undefined
  /**
   * How many bytes of heap the records of one stream may take, estimated; `memory()` only. The oldest records go first,
   * and a follower that has not read them reports a gap. 64 MB by default. `Infinity` keeps all records for 24 hours.
   */
  readonly retainedBytes?: number | undefined
}

export interface StreamSettings {
  readonly retainedBytes: number
  readonly shards: number
  readonly splitAfterRecords: number
  readonly splitAfterBytes: number
  readonly rollAfterMs: number
  readonly repeats: number
  readonly splitWhen: StreamOptions['splitWhen']
  readonly lag: SimulatedDelay | undefined
  readonly seed: number
}

const STREAM_OPTIONS = 'shards, splitAfterRecords, splitAfterBytes, rollAfterMs, splitWhen, lag, repeats, retainedBytes'
const ROLL_AFTER_MS = 4 * 3600 * 1000
/** A split halves a range of this many hashes. */
export const HASH_COUNT = 2 ** 16

export function parseStreamSettings(options: StreamOptions = {}, seed = 0): StreamSettings {
  assertKnownOptions('streams', options, STREAM_OPTIONS)
  return {
    shards: checkWholeNumber('streams.shards', options.shards ?? 1, HASH_COUNT),
    splitAfterRecords: checkWholeNumber(
      'streams.splitAfterRecords',
      options.splitAfterRecords ?? Number.POSITIVE_INFINITY,
    ),
    splitAfterBytes: checkWholeNumber('streams.splitAfterBytes', options.splitAfterBytes ?? Number.POSITIVE_INFINITY),
    rollAfterMs: checkWholeNumber('streams.rollAfterMs', options.rollAfterMs ?? ROLL_AFTER_MS),
    retainedBytes: checkWholeNumber('streams.retainedBytes', options.retainedBytes ?? Number.POSITIVE_INFINITY),
    splitWhen: options.splitWhen,
    lag: parseDelay('streams.lag', options.lag, seed),
    repeats: checkShare('streams.repeats', options.repeats ?? 0),
    seed,
  }
}

function checkShare(name: string, value: number): number {
  if (value >= 0 && value <= 1) return value
  throw new RangeError(`${name} is ${value}: give a number from 0 to 1`)
}

function checkWholeNumber(name: string, value: number, max = Number.POSITIVE_INFINITY): number {
  if ((Number.isInteger(value) || value === Number.POSITIVE_INFINITY) && value >= 1 && value <= max) return value
  throw new RangeError(
    `${name} is ${value}: give a whole number from 1${max === HASH_COUNT ? ` to ${HASH_COUNT}` : ''}`,
  )
}
