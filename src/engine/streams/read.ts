import { GET_RECORDS_BYTES } from '../../dynamodb/limits.js'
import type { ChangeRecord, GetShardIteratorRequest } from '../../dynamodb/operations/streams.js'
import type { Engine } from '../engine.js'
import { ServiceError, validation } from '../errors.js'
import { firstUndelivered, isDelivered, repetition } from './delivery.js'
import type { Position } from './iterator.js'
import { createdMs, describeRecord } from './record.js'
import { nextSequence, sequenceOf } from './sequence.js'
import type { Shard } from './shard.js'
import { horizon, isTrimmed, keySequence, recordRange, type Stream } from './stream.js'

const trimmed = () =>
  new ServiceError('TrimmedDataAccessException', 'The data you are trying to access has been trimmed')

/** The first sequence that a request for an iterator asks for. */
export function startOf(engine: Engine, stream: Stream, shard: Shard, request: GetShardIteratorRequest): number {
  switch (request.ShardIteratorType) {
    case 'TRIM_HORIZON':
      return oldest(engine, stream, shard)
    case 'LATEST':
      return firstUndelivered(stream, shard, engine.now())
    case 'AT_TIMESTAMP':
      return firstSince(engine, stream, shard, timestampMs(request.Timestamp!))
    default: {
      const sequence = sequenceIn(stream, shard, request.SequenceNumber!)
      const from = request.ShardIteratorType === 'AT_SEQUENCE_NUMBER' ? sequence : sequence + 1
      checkKept(engine, { stream, shard, from: sequence })
      return from
    }
  }
}

/** A number that this shard has given, or may have. */
function sequenceIn(stream: Stream, { start, closed }: Shard, text: string): number {
  const sequence = sequenceOf(text)
  const end = closed?.end ?? stream.next
  if (sequence === undefined || sequence < start || sequence > end)
    throw validation('Invalid SequenceNumber for the shard')
  return sequence
}

/**
 * The first record that is not too old. Nothing is removed while nothing is written, so that there may be many that
 * are: those whose sequences tell it are not looked at.
 */
function oldest(engine: Engine, stream: Stream, shard: Shard): number {
  const kept = Math.min(nextSequence(0, horizon(engine.now())), stream.next)
  let from = Math.max(shard.start, shard.trimmedThrough + 1, kept)
  stream.space.range(recordRange(shard, from), (record, key) => {
    if (!isTrimmed(record, engine.now())) return false
    from = keySequence(key) + 1
    return true
  })
  return from
}

/** The first record of a time or later. Sequences are no less than their time. */
function firstSince(engine: Engine, stream: Stream, shard: Shard, sinceMs: number): number {
  let from = Math.max(oldest(engine, stream, shard), nextSequence(0, sinceMs))
  stream.space.range(recordRange(shard, from), (record, key) => {
    if (createdMs(record) >= sinceMs) return false
    from = keySequence(key) + 1
    return true
  })
  return from
}

/** A date as a client gives it, or as it comes over the wire. */
export function timestampMs(timestamp: Date | number): number {
  return typeof timestamp === 'number' ? Math.round(timestamp * 1000) : timestamp.getTime()
}

/** Refuses to read on from before a record that is gone. */
function checkKept(engine: Engine, { stream, shard, from }: Position): void {
  if (from <= shard.trimmedThrough) throw trimmed()
  stream.space.range(recordRange(shard, from), record => {
    if (isTrimmed(record, engine.now())) throw trimmed()
    return false
  })
}

export interface RecordPage {
  readonly records: ChangeRecord[]
  /** Absent where the shard is closed and read to its end. */
  readonly next: Position | undefined
}

/** Up to a number of records and a megabyte, but always one where there is one. */
export function readRecords(engine: Engine, position: Position, limit: number): RecordPage {
  checkKept(engine, position)
  const nowMs = engine.now()
  const { stream, shard } = position
  const source = { streamId: `${stream.table.id}/${stream.label}`, view: stream.view, region: engine.region }
  const records: ChangeRecord[] = []
  const sequences: number[] = []
  let bytes = 0
  let more = false
  stream.space.range(recordRange(shard, position.from), (record, key) => {
    const sequence = keySequence(key)
    bytes += record.sizeBytes
    more = records.length === limit || (records.length > 0 && bytes > GET_RECORDS_BYTES)
    more ||= !isDelivered(stream, record, sequence, nowMs)
    if (more) return false
    records.push(describeRecord(record, sequence, source))
    sequences.push(sequence)
    return true
  })
  const from = sequences.length > 0 ? sequences.at(-1)! + 1 : position.from
  const onward = shard.closed && !more ? undefined : { ...position, from }
  return { records, next: repetition(position, sequences) ?? onward }
}
