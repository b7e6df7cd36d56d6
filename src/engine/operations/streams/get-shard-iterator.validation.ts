import type { GetShardIteratorInput } from '../../../dynamodb/operation-types.js'
import { invalidParameterError } from '../../errors.js'
import { toTimestampMs } from '../../streams/read-records.js'

export function validateGetShardIterator(request: GetShardIteratorInput, nowMs: number): void {
  const { ShardIteratorType, SequenceNumber, Timestamp } = request
  const needed = ShardIteratorType === 'AT_SEQUENCE_NUMBER' || ShardIteratorType === 'AFTER_SEQUENCE_NUMBER'
  if (needed && SequenceNumber === undefined) throw invalidParameterError('SequenceNumber cannot be null')
  if (!needed && SequenceNumber !== undefined)
    throw invalidParameterError('SequenceNumber should not be passed for this iterator type')
  if (ShardIteratorType !== 'AT_TIMESTAMP') {
    if (Timestamp !== undefined) throw invalidParameterError('Timestamp should not be passed for this iterator type')
    return
  }
  if (Timestamp === undefined) throw invalidParameterError('Timestamp cannot be null')
  if (toTimestampMs(Timestamp) > nowMs) throw invalidParameterError('Timestamp cannot be in the future')
}
