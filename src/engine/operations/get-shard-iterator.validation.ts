import type { GetShardIteratorRequest } from '../../dynamodb/operations/streams.js'
import { invalidParameter } from '../errors.js'
import { timestampMs } from '../streams/read.js'

export function validateGetShardIterator(request: GetShardIteratorRequest, nowMs: number): void {
  const { ShardIteratorType, SequenceNumber, Timestamp } = request
  const needed = ShardIteratorType === 'AT_SEQUENCE_NUMBER' || ShardIteratorType === 'AFTER_SEQUENCE_NUMBER'
  if (needed && SequenceNumber === undefined) throw invalidParameter('SequenceNumber cannot be null')
  if (!needed && SequenceNumber !== undefined)
    throw invalidParameter('SequenceNumber should not be passed for this iterator type')
  if (ShardIteratorType !== 'AT_TIMESTAMP') {
    if (Timestamp !== undefined) throw invalidParameter('Timestamp should not be passed for this iterator type')
    return
  }
  if (Timestamp === undefined) throw invalidParameter('Timestamp cannot be null')
  if (timestampMs(Timestamp) > nowMs) throw invalidParameter('Timestamp cannot be in the future')
}
