import type { Streams } from '../../store/port.js'
import type { Lease } from './lease.js'
import { hasErrorName } from './transient-errors.js'

export interface ShardRef {
  readonly stream: string
  readonly shard: string
  readonly parent: string | undefined
}

export interface DescribedStream {
  readonly arn: string
  readonly createdMs: number
  readonly shards: readonly ShardRef[]
}

/** Describes a stream with all its shards. Returns undefined if the stream does not exist any more. */
export async function describeShards(streams: Streams, arn: string): Promise<DescribedStream | undefined> {
  const shards: ShardRef[] = []
  let startShardId: string | undefined
  let createdMs = 0
  try {
    do {
      const { StreamDescription: page } = await streams.describeStream({
        StreamArn: arn,
        ExclusiveStartShardId: startShardId,
      })
      for (const { ShardId, ParentShardId } of page?.Shards ?? [])
        shards.push({ stream: arn, shard: ShardId!, parent: ParentShardId })
      createdMs = page?.CreationRequestDateTime?.getTime() ?? 0
      startShardId = page?.LastEvaluatedShardId
    } while (startShardId)
  } catch (error) {
    if (hasErrorName(error, 'ResourceNotFoundException')) return undefined
    throw error
  }
  return { arn, createdMs, shards }
}

/** Returns the leases of all readable shards: those whose parent was read to its end or does not exist any more. */
export function findReadableLeases(
  streams: readonly DescribedStream[],
  leases: readonly Lease[],
  unknownMs: number,
): Lease[] {
  const leasesByShard = new Map(leases.map(lease => [shardNameOf(lease), lease]))
  return streams.flatMap(({ createdMs, shards }) => {
    const existingShards = new Set(shards.map(({ shard }) => shard))
    return shards.flatMap(({ stream, shard, parent }) => {
      const ownLease = leasesByShard.get(shardNameOf({ stream, shard }))
      const parentLease = parent === undefined ? undefined : leasesByShard.get(shardNameOf({ stream, shard: parent }))
      const isWaitingForParent = parent !== undefined && existingShards.has(parent) && !parentLease?.done
      if (ownLease?.done || isWaitingForParent) return []
      const throughMs = parentLease?.throughMs ?? Math.max(createdMs, unknownMs)
      const unreadProgress = { after: undefined, throughMs, done: false, owner: undefined, counter: 0, untilMs: 0 }
      return [ownLease ?? { stream, shard, ...unreadProgress }]
    })
  })
}

export function shardNameOf({ stream, shard }: Pick<Lease, 'stream' | 'shard'>): string {
  return `${stream}/${shard}`
}
