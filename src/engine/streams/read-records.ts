import { GET_RECORDS_BYTES } from '../../dynamodb/limits.js'
import type { ChangeRecord, GetShardIteratorInput } from '../../dynamodb/operation-types.js'
import type { Engine } from '../engine.js'
import { ServiceError, validationError } from '../errors.js'
import { createdMsOf, toChangeRecord } from './change-record.js'
import { findFirstUndelivered, findRepetition, isRecordDelivered } from './record-delivery.js'
import { nextSequenceAfter, parseSequence } from './sequence-number.js'
import type { StreamShard } from './shard.js'
import type { ShardPosition } from './shard-iterator.js'
import { isRecordTrimmed, recordRangeFrom, retentionHorizonMs, type Stream, sequenceOfKey } from './stream.js'

const trimmedDataError = () =>
  new ServiceError('TrimmedDataAccessException', 'The data you are trying to access has been trimmed')

/** Returns the first sequence number of a requested iterator. */
export function resolveStartSequence(
  engine: Engine,
  stream: Stream,
  shard: StreamShard,
  request: GetShardIteratorInput,
): number {
  switch (request.ShardIteratorType) {
    case 'TRIM_HORIZON':
      return findOldestSequence(engine, stream, shard)
    case 'LATEST':
      return findFirstUndelivered(stream, shard, engine.now())
    case 'AT_TIMESTAMP':
      return findFirstSince(engine, stream, shard, toTimestampMs(request.Timestamp!))
    default: {
      const sequence = parseShardSequence(stream, shard, request.SequenceNumber!)
      const from = request.ShardIteratorType === 'AT_SEQUENCE_NUMBER' ? sequence : sequence + 1
      checkNotTrimmed(engine, { stream, shard, from: sequence })
      return from
    }
  }
}

/** Parses a sequence number that this shard has assigned or could have assigned. */
function parseShardSequence(stream: Stream, { start, closed }: StreamShard, text: string): number {
  const sequence = parseSequence(text)
  const end = closed?.end ?? stream.nextSequence
  if (sequence === undefined || sequence < start || sequence > end)
    throw validationError('Invalid SequenceNumber for the shard')
  return sequence
}

/**
 * Returns the first record that is not expired. Expired records are removed only by writes, so there may be many.
 * Records that are expired according to their sequence number are skipped without reading.
 */
function findOldestSequence(engine: Engine, stream: Stream, shard: StreamShard): number {
  const oldestKept = Math.min(nextSequenceAfter(0, retentionHorizonMs(engine.now())), stream.nextSequence)
  let from = Math.max(shard.start, shard.trimmedThrough + 1, oldestKept)
  stream.space.range(recordRangeFrom(shard, from), (record, key) => {
    if (!isRecordTrimmed(record, engine.now())) return false
    from = sequenceOfKey(key) + 1
    return true
  })
  return from
}

/** Returns the first record at or after a time. Sequence numbers are never less than their time. */
function findFirstSince(engine: Engine, stream: Stream, shard: StreamShard, sinceMs: number): number {
  let from = Math.max(findOldestSequence(engine, stream, shard), nextSequenceAfter(0, sinceMs))
  stream.space.range(recordRangeFrom(shard, from), (record, key) => {
    if (createdMsOf(record) >= sinceMs) return false
    from = sequenceOfKey(key) + 1
    return true
  })
  return from
}

/** Converts a timestamp, which is a date from a client or seconds from the wire. */
export function toTimestampMs(timestamp: Date | number): number {
  return typeof timestamp === 'number' ? Math.round(timestamp * 1000) : timestamp.getTime()
}

/** Throws if a record at or after the position was removed. */
function checkNotTrimmed(engine: Engine, { stream, shard, from }: ShardPosition): void {
  if (from <= shard.trimmedThrough) throw trimmedDataError()
  stream.space.range(recordRangeFrom(shard, from), record => {
    if (isRecordTrimmed(record, engine.now())) throw trimmedDataError()
    return false
  })
}

export interface RecordPage {
  readonly records: ChangeRecord[]
  /** Undefined if the shard is closed and fully read. */
  readonly next: ShardPosition | undefined
}

/** Reads up to a number of records and 1 MB, but at least one record if one exists. */
export function readRecords(engine: Engine, position: ShardPosition, limit: number): RecordPage {
  checkNotTrimmed(engine, position)
  const nowMs = engine.now()
  const { stream, shard } = position
  const source = { streamId: `${stream.table.id}/${stream.label}`, view: stream.view, region: engine.region }
  const records: ChangeRecord[] = []
  const sequences: number[] = []
  let bytes = 0
  let more = false
  stream.space.range(recordRangeFrom(shard, position.from), (record, key) => {
    const sequence = sequenceOfKey(key)
    bytes += record.sizeBytes
    more = records.length === limit || (records.length > 0 && bytes > GET_RECORDS_BYTES)
    more ||= !isRecordDelivered(stream, record, sequence, nowMs)
    if (more) return false
    records.push(toChangeRecord(record, sequence, source))
    sequences.push(sequence)
    return true
  })
  const from = sequences.length > 0 ? sequences.at(-1)! + 1 : position.from
  const onward = shard.closed && !more ? undefined : { ...position, from }
  return { records, next: findRepetition(position, sequences) ?? onward }
}
