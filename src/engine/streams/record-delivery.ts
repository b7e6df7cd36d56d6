import { drawRandom } from '../seeded-random.js'
import type { StoredItem } from '../values/stored-item.js'
import { createdMsOf } from './change-record.js'
import { nextSequenceAfter } from './sequence-number.js'
import type { StreamShard } from './shard.js'
import type { ShardPosition } from './shard-iterator.js'
import { recordRangeFrom, type Stream, sequenceOfKey } from './stream.js'

/** Returns whether a record is visible. An invisible record also delays the records after it. */
export function isRecordDelivered({ settings }: Stream, record: StoredItem, sequence: number, nowMs: number): boolean {
  return !settings.lag || createdMsOf(record) + settings.lag.msOf('record', sequence) <= nowMs
}

/** Returns the first sequence number that no reader can have seen. Earlier records are older than the maximum delay. */
export function findFirstUndelivered(stream: Stream, shard: StreamShard, nowMs: number): number {
  const { lag } = stream.settings
  if (!lag) return stream.nextSequence
  let first = stream.nextSequence
  const oldest = Math.max(shard.start, nextSequenceAfter(0, Math.max(0, nowMs - lag.maxMs)))
  stream.space.range(recordRangeFrom(shard, oldest), (record, key) => {
    const sequence = sequenceOfKey(key)
    if (isRecordDelivered(stream, record, sequence, nowMs)) return true
    first = sequence
    return false
  })
  return first
}

/**
 * Returns the position of a simulated repetition after reading these records, or undefined. It is at one of the records
 * that were not repeated yet.
 */
export function findRepetition(position: ShardPosition, sequences: readonly number[]): ShardPosition | undefined {
  const { stream, shard, repeatedThrough = 0 } = position
  const { repeats, seed } = stream.settings
  if (repeats === 0) return undefined
  const fresh = sequences.filter(sequence => sequence > repeatedThrough)
  const last = fresh.at(-1)
  if (last === undefined || drawRandom(seed, 'repeat', last) >= repeats) return undefined
  const from = fresh[Math.floor(drawRandom(seed, 'from', last) * fresh.length)]!
  return { stream, shard, from, repeatedThrough: last }
}
