import { GET_RECORDS_BYTES } from '../../dynamodb/limits.js'
import type { ChangeRecord, GetShardIteratorInput } from '../../dynamodb/operations/streams.js'
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

/** The first sequence that a request for an iterator asks for. */
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

/** A number that this shard has given, or may have. */
function parseShardSequence(stream: Stream, { start, closed }: StreamShard, text: string): number {
  const sequence = parseSequence(text)
  const end = closed?.end ?? stream.nextSequence
  if (sequence === undefined || sequence < start || sequence > end)
    throw validationError('Invalid SequenceNumber for the shard')
  return sequence
}

/**
 * The first record that is not too old. Nothing is removed while nothing is written, so that there may be many that
 * are: those whose sequences tell it are not looked at.
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

/** The first record of a time or later. Sequences are no less than their time. */
function findFirstSince(engine: Engine, stream: Stream, shard: StreamShard, sinceMs: number): number {
  let from = Math.max(findOldestSequence(engine, stream, shard), nextSequenceAfter(0, sinceMs))
  stream.space.range(recordRangeFrom(shard, from), (record, key) => {
    if (createdMsOf(record) >= sinceMs) return false
    from = sequenceOfKey(key) + 1
    return true
  })
  return from
}

/** A date as a client gives it, or as it comes over the wire. */
export function toTimestampMs(timestamp: Date | number): number {
  return typeof timestamp === 'number' ? Math.round(timestamp * 1000) : timestamp.getTime()
}

/** Refuses to read on from before a record that is gone. */
function checkNotTrimmed(engine: Engine, { stream, shard, from }: ShardPosition): void {
  if (from <= shard.trimmedThrough) throw trimmedDataError()
  stream.space.range(recordRangeFrom(shard, from), record => {
    if (isRecordTrimmed(record, engine.now())) throw trimmedDataError()
    return false
  })
}

export interface RecordPage {
  readonly records: ChangeRecord[]
  /** Absent where the shard is closed and read to its end. */
  readonly next: ShardPosition | undefined
}

/** Up to a number of records and a megabyte, but always one where there is one. */
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
