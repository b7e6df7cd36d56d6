import { chance } from '../chance.js'
import type { Stored } from '../values/stored.js'
import type { Position } from './iterator.js'
import { createdMs } from './record.js'
import { nextSequence } from './sequence.js'
import type { Shard } from './shard.js'
import { keySequence, recordRange, type Stream } from './stream.js'

/** Whether a record can be read by now. One that cannot keeps back those after it. */
export function isDelivered({ settings }: Stream, record: Stored, sequence: number, nowMs: number): boolean {
  return !settings.lag || createdMs(record) + settings.lag.msOf('record', sequence) <= nowMs
}

/** The first sequence that nobody can have read. A record before it is older than the longest delay. */
export function firstUndelivered(stream: Stream, shard: Shard, nowMs: number): number {
  const { lag } = stream.settings
  if (!lag) return stream.next
  let first = stream.next
  const oldest = Math.max(shard.start, nextSequence(0, Math.max(0, nowMs - lag.mostMs)))
  stream.space.range(recordRange(shard, oldest), (record, key) => {
    const sequence = keySequence(key)
    if (isDelivered(stream, record, sequence, nowMs)) return true
    first = sequence
    return false
  })
  return first
}

/** Where a reader that has just read these is led to again, if it is: to one of those that did not come again yet. */
export function repetition(position: Position, sequences: readonly number[]): Position | undefined {
  const { stream, shard, repeatedThrough = 0 } = position
  const { repeats, seed } = stream.settings
  if (repeats === 0) return undefined
  const fresh = sequences.filter(sequence => sequence > repeatedThrough)
  const last = fresh.at(-1)
  if (last === undefined || chance(seed, 'repeat', last) >= repeats) return undefined
  const from = fresh[Math.floor(chance(seed, 'from', last) * fresh.length)]!
  return { stream, shard, from, repeatedThrough: last }
}
