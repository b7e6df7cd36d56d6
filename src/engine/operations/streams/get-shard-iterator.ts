import type { GetShardIteratorInput, GetShardIteratorOutput } from '../../../dynamodb/operation-types.js'
import type { Engine } from '../../engine.js'
import { resolveStartSequence } from '../../streams/read-records.js'
import { encodeShardIterator, findShard } from '../../streams/shard-iterator.js'
import { findStream } from '../../streams/stream-register.js'
import { validateGetShardIterator } from './get-shard-iterator.validation.js'

export function getShardIterator(engine: Engine, request: GetShardIteratorInput): GetShardIteratorOutput {
  const stream = findStream(engine, request.StreamArn)
  validateGetShardIterator(request, engine.now())
  const shard = findShard(engine, stream, request.ShardId)
  const from = resolveStartSequence(engine, stream, shard, request)
  return { ShardIterator: encodeShardIterator(engine, { stream, shard, from }) }
}
