import type { AttributeValue, Item } from '../../dynamodb/attribute-value.js'
import { CONSUMERS_KEYS } from '../../table/production/consumers-table.js'
import type { Gap } from './gap.js'

/** The checkpoint of a shard. */
export interface ShardProgress {
  /** Sequence number of the last handled record. */
  readonly after: string | undefined
  /** Time in milliseconds since 1970 before which all records of the shard are handled. */
  readonly throughMs: number
  /** Whether the shard was read to its end. */
  readonly done: boolean
}

/** The owner and the checkpoint of a shard. */
export interface Lease extends ShardProgress {
  readonly stream: string
  readonly shard: string
  readonly owner: string | undefined
  /** Grows each time the lease is taken. Writes of earlier owners fail because they expect a lower counter. */
  readonly counter: number
  readonly untilMs: number
}

/** The stream that a group reads. */
export interface FollowedStream {
  readonly arn: string
  /** Time at which a follower was last alive. */
  readonly lastAliveMs: number
}

export interface OpenGap extends Gap {
  readonly id: string
  /** Time until which a follower has claimed the gap. */
  readonly claimedUntilMs: number
  /** Name of the follower that claimed the gap. */
  readonly claimant?: string | undefined
}

/** All state of a group in the checkpoint table, except its dead letters. */
export interface GroupState {
  readonly stream: FollowedStream | undefined
  readonly leases: readonly Lease[]
  readonly gaps: readonly OpenGap[]
}

export const STREAM_ITEM = 'stream'
/** Time of the last progress request within the group. */
export const PROGRESS_REQUEST_ITEM = 'asked'
const LEASE = 'lease#'
const GAP = 'gap#'

/** Returns the sort key of a lease. The label, the last part of the ARN, identifies the stream. */
export function leaseSortKeyOf({ stream, shard }: Pick<Lease, 'stream' | 'shard'>): string {
  return `${LEASE}${stream.slice(stream.lastIndexOf('/') + 1)}#${shard}`
}

/** Returns the name of the table that a stream belongs to. */
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
