import { assertKnownOptions } from '../../store/check-options.js'
import { type Delay, parseDelay, type SimulatedDelay } from '../simulated-delay.js'

/** The state of a shard, passed to `splitWhen`. */
export interface ShardState {
  readonly tableName: string
  readonly shardId: string
  readonly records: number
  readonly sizeBytes: number
}

/** Options for the shards of streams and for the delivery of their records. */
export interface StreamOptions {
  /** The number of shards of a new stream; default 1. */
  readonly shards?: number | undefined
  /** The number of records after which a shard is split in two; default never. */
  readonly splitAfterRecords?: number | undefined
  /** The total size of records in bytes after which a shard is split in two; default never. */
  readonly splitAfterBytes?: number | undefined
  /** The age in milliseconds at which a shard closes and another replaces it; default four hours, as on DynamoDB. */
  readonly rollAfterMs?: number | undefined
  /** Called before every record. Return `true` to split the shard at this moment. */
  readonly splitWhen?: ((shard: ShardState) => boolean) | undefined
  /** How long a record, and all later records of its shard, stay invisible to readers; default no delay. */
  readonly lag?: Delay | undefined
  /**
   * The probability, from 0 to 1, that the iterator after a page leads back into the page; default 0. Records are then
   * repeated in order, as for a consumer that failed. No record is repeated more than once.
   */
  readonly repeats?: number | undefined
  /**
   * The maximum heap size in bytes for the records of one stream, estimated; only for `memory()`. The oldest records
   * are removed first, and a follower that has not read them reports a gap. Default 64 MB. `Infinity` retains all
   * records for 24 hours.
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
/** The number of hashes. A split halves a range of them. */
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
  throw new RangeError(`${name}: ${value} is out of range; use a number from 0 to 1.`)
}

function checkWholeNumber(name: string, value: number, max = Number.POSITIVE_INFINITY): number {
  if ((Number.isInteger(value) || value === Number.POSITIVE_INFINITY) && value >= 1 && value <= max) return value
  throw new RangeError(
    `${name}: ${value} is out of range; use a whole number from 1${max === HASH_COUNT ? ` to ${HASH_COUNT}` : ''}.`,
  )
}
