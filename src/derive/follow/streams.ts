import { STREAM_RETENTION_MS } from '../../dynamodb/limits.js'
import type { TableDescription } from '../../dynamodb/operation-types.js'
import type { FollowerContext } from './follower-context.js'
import { findGapSince } from './gap.js'
import type { GroupState, Lease } from './lease.js'
import { type DescribedStream, describeShards, shardNameOf } from './shards.js'

/** Interval at which the followers of a group record that they are alive. */
const ALIVE_INTERVAL_MS = 5 * 60_000

/** The streams to read, and the start time of shards without a checkpoint. */
export interface StreamSources {
  readonly streams: readonly DescribedStream[]
  readonly unknownMs: number
}

/**
 * Finds the current stream of the table and earlier streams that were not read to their end. Opens a gap if the stream
 * was replaced, or if it was older than a day when it was first followed.
 */
export async function findStreamSources(
  follower: FollowerContext,
  { LatestStreamArn: arn, TableName = follower.table }: TableDescription,
  { stream: knownStream, leases }: GroupState,
): Promise<StreamSources> {
  const { streams, ledger, settings, openGap } = follower
  const nowMs = settings.clock()
  const unfinishedArns = leases.filter(({ stream, done }) => stream !== arn && !done).map(({ stream }) => stream)
  const arns = [...new Set([...(arn === undefined ? [] : [arn]), ...unfinishedArns])]
  const described = (await Promise.all(arns.map(name => describeShards(streams, name)))).filter(
    stream => stream !== undefined,
  )
  const latestStream = described.find(stream => stream.arn === arn)
  if (!latestStream) return { streams: described, unknownMs: knownStream?.lastAliveMs ?? nowMs }
  const { createdMs } = latestStream
  const isLate = !knownStream && createdMs < nowMs - STREAM_RETENTION_MS
  if (isLate) await openGap({ reason: 'late', sinceMs: createdMs, untilMs: nowMs - STREAM_RETENTION_MS, shards: [] })
  if (knownStream && knownStream.arn !== arn)
    await openGap({ reason: 'replaced', sinceMs: knownStream.lastAliveMs, untilMs: createdMs, shards: [] })
  const shouldNoteStream = knownStream?.arn !== arn || nowMs - knownStream!.lastAliveMs >= ALIVE_INTERVAL_MS
  // Another follower recorded a stream first. Check that it follows the same table.
  if (shouldNoteStream && !(await ledger.noteStream(latestStream.arn, knownStream?.arn, nowMs)))
    await ledger.readForTable(TableName)
  return { streams: described, unknownMs: knownStream?.lastAliveMs ?? (isLate ? nowMs : 0) }
}

/**
 * Removes the leases of shards that do not exist any more. A shard that was not read to its end leaves a gap if its
 * checkpoint is older than a day.
 */
export async function removeStaleLeases(
  { ledger, settings, openGap }: FollowerContext,
  { streams }: StreamSources,
  leases: readonly Lease[],
): Promise<void> {
  const existingShards = new Set(streams.flatMap(({ shards }) => shards.map(shardNameOf)))
  const leasedShards = new Set(leases.map(shardNameOf))
  // The checkpoint of a parent is needed until each of its children has a lease.
  const neededParents = new Set(
    streams.flatMap(({ shards }) =>
      shards.flatMap(shard =>
        shard.parent === undefined || leasedShards.has(shardNameOf(shard))
          ? []
          : [shardNameOf({ ...shard, shard: shard.parent })],
      ),
    ),
  )
  for (const lease of leases) {
    if (existingShards.has(shardNameOf(lease)) || neededParents.has(shardNameOf(lease))) continue
    const gap = lease.done ? undefined : findGapSince(lease.throughMs, settings.clock(), lease.shard)
    if (gap) await openGap(gap)
    await ledger.removeLease(lease)
  }
}
