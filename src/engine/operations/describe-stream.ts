import { DESCRIBE_STREAM_SHARDS } from '../../dynamodb/limits.js'
import type {
  DescribeStreamAnswer,
  DescribeStreamRequest,
  Shard as ShardDescription,
} from '../../dynamodb/operations/streams.js'
import type { Engine } from '../engine.js'
import { findStream } from '../streams/register.js'
import { sequenceText } from '../streams/sequence.js'
import type { Shard } from '../streams/shard.js'

export function describeStream(engine: Engine, request: DescribeStreamRequest): DescribeStreamAnswer {
  const stream = findStream(engine, request.StreamArn)
  const { Limit = DESCRIBE_STREAM_SHARDS, ExclusiveStartShardId: after = '', ShardFilter: filter } = request
  const shards = stream
    .readableShards(engine.now())
    .filter(shard => shard.id > after && (!filter?.ShardId || shard.parentId === filter.ShardId))
  const page = shards.slice(0, Limit)
  return {
    StreamDescription: {
      StreamArn: request.StreamArn,
      StreamLabel: stream.label,
      StreamStatus: stream.disabledMs === undefined ? 'ENABLED' : 'DISABLED',
      StreamViewType: stream.view,
      CreationRequestDateTime: new Date(stream.enabledMs),
      TableName: stream.table.name,
      KeySchema: structuredClone(stream.table.keySchema),
      Shards: page.map(describeShard),
      ...(shards.length > page.length && { LastEvaluatedShardId: page.at(-1)!.id }),
    },
  }
}

function describeShard({ id, parentId, start, closed }: Shard): ShardDescription {
  return {
    ShardId: id,
    SequenceNumberRange: {
      StartingSequenceNumber: sequenceText(start),
      ...(closed && { EndingSequenceNumber: sequenceText(closed.end) }),
    },
    ...(parentId !== undefined && { ParentShardId: parentId }),
  }
}
