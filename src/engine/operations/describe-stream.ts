import { DESCRIBE_STREAM_SHARDS } from '../../dynamodb/limits.js'
import type {
  DescribeStreamAnswer,
  DescribeStreamRequest,
  Shard as ShardDescription,
  StreamStatus,
} from '../../dynamodb/operations/streams.js'
import type { Engine } from '../engine.js'
import { invalidParameter } from '../errors.js'
import { findStream } from '../streams/register.js'
import { sequenceText } from '../streams/sequence.js'
import type { Shard } from '../streams/shard.js'
import type { Stream } from '../streams/stream.js'

export function describeStream(engine: Engine, request: DescribeStreamRequest): DescribeStreamAnswer {
  const { Limit = DESCRIBE_STREAM_SHARDS, ExclusiveStartShardId: after = '', ShardFilter: filter } = request
  if (Limit > DESCRIBE_STREAM_SHARDS)
    throw invalidParameter(`Limit cannot be greater than the maximum: ${DESCRIBE_STREAM_SHARDS}`)
  if (filter && !(filter.Type && filter.ShardId)) throw invalidParameter('ShardFilter needs a Type and a ShardId')
  const stream = findStream(engine, request.StreamArn)
  const shards = stream
    .readableShards(engine.now())
    .filter(shard => shard.id > after && (!filter || shard.parentId === filter.ShardId))
  const page = shards.slice(0, Limit)
  return {
    StreamDescription: {
      StreamArn: request.StreamArn,
      StreamLabel: stream.label,
      StreamStatus: statusOf(engine, stream),
      StreamViewType: stream.view,
      CreationRequestDateTime: new Date(stream.enabledMs),
      TableName: stream.table.name,
      KeySchema: structuredClone(stream.table.keySchema),
      Shards: page.map(describeShard),
      ...(shards.length > page.length && { LastEvaluatedShardId: page.at(-1)!.id }),
    },
  }
}

/** A stream that is being enabled or disabled records already, or does not any more. */
function statusOf({ now, settings }: Engine, { enabledMs, disabledMs }: Stream): StreamStatus {
  const underWay = now() - (disabledMs ?? enabledMs) < settings.transitionMs
  if (disabledMs === undefined) return underWay ? 'ENABLING' : 'ENABLED'
  return underWay ? 'DISABLING' : 'DISABLED'
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
