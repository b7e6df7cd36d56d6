import { HASH_COUNT } from './stream-settings.js'

/** The part of a stream that has the changes of a range of hashes, for as long as it is open. */
export interface StreamShard {
  readonly id: string
  /** Begins the keys of its records; shards are numbered in the order in which they were made. */
  readonly prefix: string
  readonly parentId: string | undefined
  /** Hashes of partition keys, the end exclusive. */
  readonly from: number
  readonly to: number
  readonly createdMs: number
  /** The sequence before its first record. */
  readonly start: number
  /** Once it is closed: the sequence after its last record, and when that was. */
  closed: { readonly end: number; readonly atMs: number } | undefined
  records: number
  sizeBytes: number
  /** The last sequence that was removed, since records are kept for a day. */
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

/** The ranges of the first shards of a stream. */
export function initialRanges(shards: number): [from: number, to: number][] {
  const boundary = (index: number) => Math.round((HASH_COUNT / shards) * index)
  return Array.from({ length: shards }, (_, index) => [boundary(index), boundary(index + 1)])
}

/** What follows a shard: two of half its range each, or one of all of it, where it only is old or has one hash. */
export function successorRanges({ from, to }: StreamShard, shouldSplit: boolean): [from: number, to: number][] {
  if (!shouldSplit || to - from < 2) return [[from, to]]
  const middle = Math.floor((from + to) / 2)
  return [
    [from, middle],
    [middle, to],
  ]
}

/** The hash of a key as items lie under it, of which it is the beginning. */
export function keyHashOf(key: string): number {
  return (key.charCodeAt(0) << 8) | key.charCodeAt(1)
}
