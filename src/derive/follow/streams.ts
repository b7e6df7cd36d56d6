import { STREAM_RETENTION_MS } from '../../dynamodb/limits.js'
import type { TableDescription } from '../../dynamodb/operations/table-description.js'
import type { Following } from './following.js'
import { gapSince } from './gap.js'
import type { GroupState, Lease } from './lease.js'
import { type DescribedStream, describeShards, nameOf } from './shards.js'

/** That someone is there is noted so often. */
const ALIVE_MS = 5 * 60_000

/** What there is to read, and from when a shard is that nothing is known of. */
export interface Sources {
  readonly streams: readonly DescribedStream[]
  readonly unknownMs: number
}

/**
 * The stream of the table, and those before it that were not read to their end. Notes the gap that another stream in its
 * place has left, or one that was there for over a day before anybody followed it.
 */
export async function sourcesOf(
  following: Following,
  { LatestStreamArn: arn, TableName = following.table }: TableDescription,
  { stream: known, leases }: GroupState,
): Promise<Sources> {
  const { streams, ledger, settings, openGap } = following
  const nowMs = settings.clock()
  const before = leases.filter(({ stream, done }) => stream !== arn && !done).map(({ stream }) => stream)
  const names = [...new Set([...(arn === undefined ? [] : [arn]), ...before])]
  const found = (await Promise.all(names.map(name => describeShards(streams, name)))).filter(one => one !== undefined)
  const latest = found.find(one => one.arn === arn)
  if (!latest) return { streams: found, unknownMs: known?.aliveMs ?? nowMs }
  const { createdMs } = latest
  const isLate = !known && createdMs < nowMs - STREAM_RETENTION_MS
  if (isLate) await openGap({ reason: 'late', sinceMs: createdMs, untilMs: nowMs - STREAM_RETENTION_MS, shards: [] })
  if (known && known.arn !== arn)
    await openGap({ reason: 'replaced', sinceMs: known.aliveMs, untilMs: createdMs, shards: [] })
  const isDue = known?.arn !== arn || nowMs - known!.aliveMs >= ALIVE_MS
  // Another was faster: one who follows the same table, or not.
  if (isDue && !(await ledger.keepStream(latest.arn, known?.arn, nowMs))) await ledger.readFor(TableName)
  return { streams: found, unknownMs: known?.aliveMs ?? (isLate ? nowMs : 0) }
}

/** Removes the leases of shards that are no more. One that was not read to its end leaves a gap, if that was long ago. */
export async function forgetShards(
  { ledger, settings, openGap }: Following,
  { streams }: Sources,
  leases: readonly Lease[],
): Promise<void> {
  const there = new Set(streams.flatMap(({ shards }) => shards.map(nameOf)))
  const known = new Set(leases.map(nameOf))
  // What is known of a parent is needed until each of its children has a lease.
  const needed = new Set(
    streams.flatMap(({ shards }) =>
      shards.flatMap(shard =>
        shard.parent === undefined || known.has(nameOf(shard)) ? [] : [nameOf({ ...shard, shard: shard.parent })],
      ),
    ),
  )
  for (const lease of leases) {
    if (there.has(nameOf(lease)) || needed.has(nameOf(lease))) continue
    const gap = lease.done ? undefined : gapSince(lease.throughMs, settings.clock(), lease.shard)
    if (gap) await openGap(gap)
    await ledger.remove(lease)
  }
}
