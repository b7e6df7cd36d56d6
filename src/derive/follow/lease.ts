import type { AttributeValue, Item } from '../../dynamodb/attribute-value.js'
import { CONSUMERS_KEYS } from '../../table/consumers.js'
import type { Gap } from './gap.js'

/** How far a shard was read. */
export interface Progress {
  /** The sequence number of the last record that was handled. */
  readonly after: string | undefined
  /** All that was written to the shard before this was handled: milliseconds since 1970. */
  readonly throughMs: number
  /** It was read to its end. */
  readonly done: boolean
}

/** Who reads a shard, and how far it was read. */
export interface Lease extends Progress {
  readonly stream: string
  readonly shard: string
  readonly owner: string | undefined
  /** Grows each time that someone takes it: whoever took it before can write nothing any more. */
  readonly counter: number
  readonly untilMs: number
}

/** The stream that a group reads. */
export interface StreamState {
  readonly arn: string
  /** When a follower last looked after it. */
  readonly aliveMs: number
}

export interface OpenGap extends Gap {
  readonly id: string
  /** Until when someone is at work on it. */
  readonly claimedUntilMs: number
  /** The name of whoever is. */
  readonly claimant?: string | undefined
}

/** All that a group has in the small table, but for its dead letters. */
export interface GroupState {
  readonly stream: StreamState | undefined
  readonly leases: readonly Lease[]
  readonly gaps: readonly OpenGap[]
}

export const STREAM_ITEM = 'stream'
/** When a follower last waited for the others of its group. */
export const ASK_ITEM = 'asked'
const LEASE = 'lease#'
const GAP = 'gap#'

/** Streams are told apart by their label, the last part of their ARN. */
export function leaseItem({ stream, shard }: Pick<Lease, 'stream' | 'shard'>): string {
  return `${LEASE}${stream.slice(stream.lastIndexOf('/') + 1)}#${shard}`
}

/** The name of the table that a stream is of. */
export const tableOf = (stream: string): string | undefined => /:table\/([^/]+)\/stream\//.exec(stream)?.[1]

export function gapItem({ reason, sinceMs, shards }: Gap): string {
  return `${GAP}${reason}#${sinceMs}#${shards[0] ?? ''}`
}

export function readGroup(items: readonly Item[]): GroupState {
  const named = (prefix: string) => items.filter(item => item[CONSUMERS_KEYS.sort]?.S?.startsWith(prefix))
  const [stream] = items.filter(item => item[CONSUMERS_KEYS.sort]?.S === STREAM_ITEM)
  return {
    stream: stream && { arn: text(stream.stream), aliveMs: number(stream.alive) },
    leases: named(LEASE).map(readLease),
    gaps: named(GAP).map(readGap),
  }
}

function readLease(item: Item): Lease {
  return {
    stream: text(item.stream),
    shard: text(item.shard),
    owner: item.owner?.S,
    counter: number(item.counter),
    untilMs: number(item.until),
    after: item.after?.S,
    throughMs: number(item.through),
    done: item.done?.BOOL ?? false,
  }
}

function readGap(item: Item): OpenGap {
  return {
    id: text(item[CONSUMERS_KEYS.sort]),
    reason: text(item.reason) as Gap['reason'],
    sinceMs: number(item.since),
    untilMs: number(item.until),
    shards: (item.shards?.L ?? []).map(text),
    claimedUntilMs: number(item.claimed),
    claimant: item.claimant?.S,
  }
}

function text(value: AttributeValue | undefined): string {
  return value?.S ?? ''
}

function number(value: AttributeValue | undefined): number {
  return Number(value?.N ?? 0)
}
