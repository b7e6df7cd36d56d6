import {
  SEQUENCE_NUMBER_CHARACTERS_MAX,
  SEQUENCE_NUMBER_CHARACTERS_MIN,
  SHARD_ID_CHARACTERS_MAX,
  SHARD_ID_CHARACTERS_MIN,
  SHARD_ITERATOR_CHARACTERS,
  STREAM_ARN_CHARACTERS_MAX,
  STREAM_ARN_CHARACTERS_MIN,
} from '../limits.js'
import { echoless, max, min, oneOf } from './constraints.js'
import { NAME_RULES } from './members.js'
import { integer, required, structure, text, timestamp } from './shapes.js'

const streamArn = text(echoless(min(STREAM_ARN_CHARACTERS_MIN), max(STREAM_ARN_CHARACTERS_MAX)))
const shardId = text(echoless(min(SHARD_ID_CHARACTERS_MIN), max(SHARD_ID_CHARACTERS_MAX)))
/** How much may be asked for at most each operation says in words of its own. */
const limit = integer(echoless(min(1)))

export const listStreams = structure('ListStreamsInput', {
  TableName: text(echoless(...NAME_RULES)),
  Limit: limit,
  ExclusiveStartStreamArn: streamArn,
})

export const describeStream = structure('DescribeStreamInput', {
  StreamArn: required(streamArn),
  Limit: limit,
  ExclusiveStartShardId: shardId,
  ShardFilter: structure('ShardFilter', { Type: text(echoless(oneOf('CHILD_SHARDS'))), ShardId: shardId }),
})

export const getShardIterator = structure('GetShardIteratorInput', {
  StreamArn: required(streamArn),
  ShardId: required(shardId),
  ShardIteratorType: required(
    text(echoless(oneOf('AFTER_SEQUENCE_NUMBER', 'LATEST', 'AT_SEQUENCE_NUMBER', 'AT_TIMESTAMP', 'TRIM_HORIZON'))),
  ),
  SequenceNumber: text(echoless(min(SEQUENCE_NUMBER_CHARACTERS_MIN), max(SEQUENCE_NUMBER_CHARACTERS_MAX))),
  Timestamp: timestamp,
})

export const getRecords = structure('GetRecordsInput', {
  ShardIterator: required(text(echoless(min(1), max(SHARD_ITERATOR_CHARACTERS)))),
  Limit: limit,
})
