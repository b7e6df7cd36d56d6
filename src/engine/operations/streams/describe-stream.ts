import { DESCRIBE_STREAM_SHARDS } from '../../../dynamodb/limits.js'
import type {
  DescribeStreamInput,
  DescribeStreamOutput,
  Shard as ShardDescription,
  StreamStatus,
} from '../../../dynamodb/operation-types.js'
import type { Engine } from '../../engine.js'
import { invalidParameterError } from '../../errors.js'
import { formatSequence } from '../../streams/sequence-number.js'
import type { StreamShard } from '../../streams/shard.js'
import type { Stream } from '../../streams/stream.js'
import { findStream } from '../../streams/stream-register.js'

export function describeStream(engine: Engine, request: DescribeStreamInput): DescribeStreamOutput {
  const { Limit = DESCRIBE_STREAM_SHARDS, ExclusiveStartShardId: after = '', ShardFilter: filter } = request
  if (Limit > DESCRIBE_STREAM_SHARDS)
    throw invalidParameterError(`Limit cannot be greater than the maximum: ${DESCRIBE_STREAM_SHARDS}`)
  if (filter && !(filter.Type && filter.ShardId)) throw invalidParameterError('ShardFilter needs a Type and a ShardId')
  const stream = findStream(engine, request.StreamArn)
  const shards = stream
    .readableShards(engine.now())
    .filter(shard => shard.id > after && (!filter || shard.parentId === filter.ShardId))
  const page = shards.slice(0, Limit)
  return {
    StreamDescription: {
      StreamArn: request.StreamArn,
      StreamLabel: stream.label,
      StreamStatus: streamStatusOf(engine, stream),
      StreamViewType: stream.view,
      CreationRequestDateTime: new Date(stream.enabledMs),
      TableName: stream.table.name,
      KeySchema: structuredClone(stream.table.keySchema),
      Shards: page.map(toShardDescription),
      ...(shards.length > page.length && { LastEvaluatedShardId: page.at(-1)!.id }),
    },
  }
}

/** A stream in the status ENABLING already records changes; one in DISABLING no longer does. */
function streamStatusOf({ now, settings }: Engine, { enabledMs, disabledMs }: Stream): StreamStatus {
  const isChanging = now() - (disabledMs ?? enabledMs) < settings.transitionMs
  if (disabledMs === undefined) return isChanging ? 'ENABLING' : 'ENABLED'
  return isChanging ? 'DISABLING' : 'DISABLED'
}

function toShardDescription({ id, parentId, start, closed }: StreamShard): ShardDescription {
  return {
    ShardId: id,
    SequenceNumberRange: {
      StartingSequenceNumber: formatSequence(start),
      ...(closed && { EndingSequenceNumber: formatSequence(closed.end) }),
    },
    ...(parentId !== undefined && { ParentShardId: parentId }),
  }
}
