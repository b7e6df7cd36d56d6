import type { AttributeValue, Item } from '../../dynamodb/attribute-value.js'
import { CONSUMERS_KEYS } from '../../table/production/consumers-table.js'
import type { Gap } from './gap.js'

/** How far a shard was read. */
export interface ShardProgress {
  /** The sequence number of the last record that was handled. */
  readonly after: string | undefined
  /** All that was written to the shard before this was handled: milliseconds since 1970. */
  readonly throughMs: number
  /** It was read to its end. */
  readonly done: boolean
}

/** Who reads a shard, and how far it was read. */
export interface Lease extends ShardProgress {
  readonly stream: string
  readonly shard: string
  readonly owner: string | undefined
  /** Grows each time that someone takes it: whoever took it before can write nothing any more. */
  readonly counter: number
  readonly untilMs: number
}

/** The stream that a group reads. */
export interface FollowedStream {
  readonly arn: string
  /** When a follower last looked after it. */
  readonly lastAliveMs: number
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
  readonly stream: FollowedStream | undefined
  readonly leases: readonly Lease[]
  readonly gaps: readonly OpenGap[]
}

export const STREAM_ITEM = 'stream'
/** When a follower last waited for the others of its group. */
export const PROGRESS_REQUEST_ITEM = 'asked'
const LEASE = 'lease#'
const GAP = 'gap#'

/** Streams are told apart by their label, the last part of their ARN. */
export function leaseSortKeyOf({ stream, shard }: Pick<Lease, 'stream' | 'shard'>): string {
  return `${LEASE}${stream.slice(stream.lastIndexOf('/') + 1)}#${shard}`
}

/** The name of the table that a stream is of. */
export const tableNameOfStream = (stream: string): string | undefined => /:table\/([^/]+)\/stream\//.exec(stream)?.[1]

export function gapSortKeyOf({ reason, sinceMs, shards }: Gap): string {
  return `${GAP}${reason}#${sinceMs}#${shards[0] ?? ''}`
}

export function parseGroup(items: readonly Item[]): GroupState {
  const itemsWithPrefix = (prefix: string) => items.filter(item => item[CONSUMERS_KEYS.sort]?.S?.startsWith(prefix))
  const [stream] = items.filter(item => item[CONSUMERS_KEYS.sort]?.S === STREAM_ITEM)
  return {
    stream: stream && { arn: textOfValue(stream.stream), lastAliveMs: numberOfValue(stream.alive) },
    leases: itemsWithPrefix(LEASE).map(parseLease),
    gaps: itemsWithPrefix(GAP).map(parseGap),
  }
}

function parseLease(item: Item): Lease {
  return {
    stream: textOfValue(item.stream),
    shard: textOfValue(item.shard),
    owner: item.owner?.S,
    counter: numberOfValue(item.counter),
    untilMs: numberOfValue(item.until),
    after: item.after?.S,
    throughMs: numberOfValue(item.through),
    done: item.done?.BOOL ?? false,
  }
}

function parseGap(item: Item): OpenGap {
  return {
    id: textOfValue(item[CONSUMERS_KEYS.sort]),
    reason: textOfValue(item.reason) as Gap['reason'],
    sinceMs: numberOfValue(item.since),
    untilMs: numberOfValue(item.until),
    shards: (item.shards?.L ?? []).map(textOfValue),
    claimedUntilMs: numberOfValue(item.claimed),
    claimant: item.claimant?.S,
  }
}

function textOfValue(value: AttributeValue | undefined): string {
  return value?.S ?? ''
}

function numberOfValue(value: AttributeValue | undefined): number {
  return Number(value?.N ?? 0)
}
