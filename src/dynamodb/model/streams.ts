import {
  SEQUENCE_NUMBER_CHARACTERS_MAX,
  SEQUENCE_NUMBER_CHARACTERS_MIN,
  SHARD_ID_CHARACTERS_MAX,
  SHARD_ID_CHARACTERS_MIN,
  SHARD_ITERATOR_CHARACTERS,
  STREAM_ARN_CHARACTERS_MAX,
  STREAM_ARN_CHARACTERS_MIN,
} from '../limits.js'
import { enumConstraint, max, min, withoutEcho } from './constraints.js'
import { NAME_RULES } from './members.js'
import { integerShape, requiredShape, structureShape, textShape, timestampShape } from './shapes.js'

const streamArn = textShape(withoutEcho(min(STREAM_ARN_CHARACTERS_MIN), max(STREAM_ARN_CHARACTERS_MAX)))
const shardId = textShape(withoutEcho(min(SHARD_ID_CHARACTERS_MIN), max(SHARD_ID_CHARACTERS_MAX)))
/** Each operation reports its own maximum in a dedicated sentence. */
const limit = integerShape(withoutEcho(min(1)))

export const listStreams = structureShape('ListStreamsInput', {
  TableName: textShape(withoutEcho(...NAME_RULES)),
  Limit: limit,
  ExclusiveStartStreamArn: streamArn,
})

export const describeStream = structureShape('DescribeStreamInput', {
  StreamArn: requiredShape(streamArn),
  Limit: limit,
  ExclusiveStartShardId: shardId,
  ShardFilter: structureShape('ShardFilter', {
    Type: textShape(withoutEcho(enumConstraint('CHILD_SHARDS'))),
    ShardId: shardId,
  }),
})

export const getShardIterator = structureShape('GetShardIteratorInput', {
  StreamArn: requiredShape(streamArn),
  ShardId: requiredShape(shardId),
  ShardIteratorType: requiredShape(
    textShape(
      withoutEcho(
        enumConstraint('AFTER_SEQUENCE_NUMBER', 'LATEST', 'AT_SEQUENCE_NUMBER', 'AT_TIMESTAMP', 'TRIM_HORIZON'),
      ),
    ),
  ),
  SequenceNumber: textShape(withoutEcho(min(SEQUENCE_NUMBER_CHARACTERS_MIN), max(SEQUENCE_NUMBER_CHARACTERS_MAX))),
  Timestamp: timestampShape,
})

export const getRecords = structureShape('GetRecordsInput', {
  ShardIterator: requiredShape(textShape(withoutEcho(min(1), max(SHARD_ITERATOR_CHARACTERS)))),
  Limit: limit,
})
