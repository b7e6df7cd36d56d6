import type { GetShardIteratorAnswer, GetShardIteratorRequest } from '../../dynamodb/operations/streams.js'
import type { Engine } from '../engine.js'
import { encodeIterator, findShard } from '../streams/iterator.js'
import { startOf } from '../streams/read.js'
import { findStream } from '../streams/register.js'
import { validateGetShardIterator } from './get-shard-iterator.validation.js'

export function getShardIterator(engine: Engine, request: GetShardIteratorRequest): GetShardIteratorAnswer {
  const stream = findStream(engine, request.StreamArn)
  validateGetShardIterator(request, engine.now())
  const shard = findShard(engine, stream, request.ShardId)
  const from = startOf(engine, stream, shard, request)
  return { ShardIterator: encodeIterator(engine, { stream, shard, from }) }
}
