import { SHARD_ITERATOR_MS } from '../../dynamodb/limits.js'
import type { Engine } from '../engine.js'
import { notFound, ServiceError, validation } from '../errors.js'
import { findStream, streamArn } from './register.js'
import type { Shard } from './shard.js'
import type { Stream } from './stream.js'

/** Where a reader stands in a shard. */
export interface Position {
  readonly stream: Stream
  readonly shard: Shard
  /** The first sequence that it has not read. */
  readonly from: number
  /** The last sequence that it has read twice, where that happens. */
  readonly repeatedThrough?: number | undefined
}

/** A position as a reader keeps it, for a quarter of an hour. */
export function encodeIterator(engine: Engine, { stream, shard, from, repeatedThrough }: Position): string {
  const repeated = repeatedThrough === undefined ? [] : [repeatedThrough]
  const place = Buffer.from(JSON.stringify([shard.id, from, engine.now(), ...repeated])).toString('base64')
  return `${streamArn(engine, stream)}|1|${place}`
}

export function decodeIterator(engine: Engine, iterator: string): Position {
  const [arn, version, place] = iterator.split('|')
  const read = version === '1' ? readPlace(place ?? '') : undefined
  if (!read) throw validation('Invalid ShardIterator')
  const [shardId, from, issuedMs, repeatedThrough] = read
  const stream = findStream(engine, arn!)
  if (engine.now() - issuedMs > SHARD_ITERATOR_MS)
    throw new ServiceError('ExpiredIteratorException', 'Shard iterator has expired')
  return { stream, shard: findShard(engine, stream, shardId), from, repeatedThrough }
}

export function findShard(engine: Engine, stream: Stream, id: string): Shard {
  const shard = stream.readableShards(engine.now()).find(candidate => candidate.id === id)
  if (!shard) throw notFound('Requested resource not found: Shard does not exist')
  return shard
}

type Place = [shardId: string, from: number, issuedMs: number, repeatedThrough?: number]

function readPlace(base64: string): Place | undefined {
  try {
    const place: unknown = JSON.parse(Buffer.from(base64, 'base64').toString())
    if (!Array.isArray(place) || typeof place[0] !== 'string') return undefined
    const numbers = place.slice(1)
    return (numbers.length === 2 || numbers.length === 3) && numbers.every(Number.isFinite)
      ? (place as Place)
      : undefined
  } catch {
    return undefined
  }
}
