import { HASH_COUNT } from './stream-settings.js'

/** The part of a stream with the changes of a range of hashes. */
export interface StreamShard {
  readonly id: string
  /** The prefix of the keys of its records. Shards are numbered in the order of their creation. */
  readonly prefix: string
  readonly parentId: string | undefined
  /** The range of hashes of partition keys; the end is exclusive. */
  readonly from: number
  readonly to: number
  readonly createdMs: number
  /** The sequence number before the first record. */
  readonly start: number
  /** The sequence number after the last record, and the time of closing; undefined while the shard is open. */
  closed: { readonly end: number; readonly atMs: number } | undefined
  records: number
  sizeBytes: number
  /** The last sequence number that was removed. Records are retained for 24 hours. */
  trimmedThrough: number
}

interface NewShard {
  readonly ordinal: number
  readonly from: number
  readonly to: number
  readonly start: number
  readonly nowMs: number
  readonly parentId?: string
}

export function newShard({ ordinal, from, to, start, nowMs, parentId }: NewShard): StreamShard {
  const prefix = ordinal.toString(16).padStart(8, '0')
  return {
    id: `shardId-${String(Math.floor(nowMs)).padStart(20, '0')}-${prefix}`,
    prefix,
    parentId,
    from,
    to,
    createdMs: nowMs,
    start,
    closed: undefined,
    records: 0,
    sizeBytes: 0,
    trimmedThrough: 0,
  }
}

/** Returns the hash ranges of the first shards of a stream. */
export function initialRanges(shards: number): [from: number, to: number][] {
  const boundary = (index: number) => Math.round((HASH_COUNT / shards) * index)
  return Array.from({ length: shards }, (_, index) => [boundary(index), boundary(index + 1)])
}

/**
 * Returns the ranges of a shard's successors: two halves, or the whole range if the shard is only old or has a single
 * hash.
 */
export function successorRanges({ from, to }: StreamShard, shouldSplit: boolean): [from: number, to: number][] {
  if (!shouldSplit || to - from < 2) return [[from, to]]
  const middle = Math.floor((from + to) / 2)
  return [
    [from, middle],
    [middle, to],
  ]
}

/** Returns the hash at the beginning of an encoded item key. */
export function keyHashOf(key: string): number {
  return (key.charCodeAt(0) << 8) | key.charCodeAt(1)
}
