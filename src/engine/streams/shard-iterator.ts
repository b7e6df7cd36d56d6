import { SHARD_ITERATOR_MS } from '../../dynamodb/limits.js'
import type { Engine } from '../engine.js'
import { notFoundError, ServiceError, validationError } from '../errors.js'
import type { StreamShard } from './shard.js'
import type { Stream } from './stream.js'
import { findStream, streamArn } from './stream-register.js'

/** The position of a reader in a shard. */
export interface ShardPosition {
  readonly stream: Stream
  readonly shard: StreamShard
  /** The first sequence number that was not read. */
  readonly from: number
  /** The last sequence number that was repeated, if repetitions are simulated. */
  readonly repeatedThrough?: number | undefined
}

/** Encodes a position as an iterator, which is valid for 15 minutes. */
export function encodeShardIterator(engine: Engine, { stream, shard, from, repeatedThrough }: ShardPosition): string {
  const repeated = repeatedThrough === undefined ? [] : [repeatedThrough]
  const place = Buffer.from(JSON.stringify([shard.id, from, engine.now(), ...repeated])).toString('base64')
  return `${streamArn(engine, stream)}|1|${place}`
}

export function decodeShardIterator(engine: Engine, iterator: string): ShardPosition {
  const [arn, version, place] = iterator.split('|')
  const read = version === '1' ? parseIteratorFields(place ?? '') : undefined
  if (!read) throw validationError('Invalid ShardIterator')
  const [shardId, from, issuedMs, repeatedThrough] = read
  const stream = findStream(engine, arn!)
  if (engine.now() - issuedMs > SHARD_ITERATOR_MS)
    throw new ServiceError('ExpiredIteratorException', 'Shard iterator has expired')
  return { stream, shard: findShard(engine, stream, shardId), from, repeatedThrough }
}

export function findShard(engine: Engine, stream: Stream, id: string): StreamShard {
  const shard = stream.readableShards(engine.now()).find(candidate => candidate.id === id)
  if (!shard) throw notFoundError('Requested resource not found: Shard does not exist')
  return shard
}

type IteratorFields = [shardId: string, from: number, issuedMs: number, repeatedThrough?: number]

function parseIteratorFields(base64: string): IteratorFields | undefined {
  try {
    const place: unknown = JSON.parse(Buffer.from(base64, 'base64').toString())
    if (!Array.isArray(place) || typeof place[0] !== 'string') return undefined
    const numbers = place.slice(1)
    return (numbers.length === 2 || numbers.length === 3) && numbers.every(Number.isFinite)
      ? (place as IteratorFields)
      : undefined
  } catch {
    return undefined
  }
}
