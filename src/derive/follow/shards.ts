import type { Streams } from '../../store/port.js'
import type { Lease } from './lease.js'
import { isNamed } from './passing.js'

export interface ShardOf {
  readonly stream: string
  readonly shard: string
  readonly parent: string | undefined
}

export interface DescribedStream {
  readonly arn: string
  readonly createdMs: number
  readonly shards: readonly ShardOf[]
}

/** A stream with all its shards; undefined where it is no more. */
export async function describeShards(streams: Streams, arn: string): Promise<DescribedStream | undefined> {
  const shards: ShardOf[] = []
  let start: string | undefined
  let createdMs = 0
  try {
    do {
      const { StreamDescription: page } = await streams.describeStream({ StreamArn: arn, ExclusiveStartShardId: start })
      for (const { ShardId, ParentShardId } of page?.Shards ?? [])
        shards.push({ stream: arn, shard: ShardId!, parent: ParentShardId })
      createdMs = page?.CreationRequestDateTime?.getTime() ?? 0
      start = page?.LastEvaluatedShardId
    } while (start)
  } catch (error) {
    if (isNamed(error, 'ResourceNotFoundException')) return undefined
    throw error
  }
  return { arn, createdMs, shards }
}

/** The lease of each shard that can be read now: its parent was read to its end, or is no more. */
export function readable(streams: readonly DescribedStream[], leases: readonly Lease[], unknownMs: number): Lease[] {
  const known = new Map(leases.map(lease => [nameOf(lease), lease]))
  return streams.flatMap(({ createdMs, shards }) => {
    const there = new Set(shards.map(({ shard }) => shard))
    return shards.flatMap(({ stream, shard, parent }) => {
      const own = known.get(nameOf({ stream, shard }))
      const before = parent === undefined ? undefined : known.get(nameOf({ stream, shard: parent }))
      const waits = parent !== undefined && there.has(parent) && !before?.done
      if (own?.done || waits) return []
      const throughMs = before?.throughMs ?? Math.max(createdMs, unknownMs)
      const fresh = { after: undefined, throughMs, done: false, owner: undefined, counter: 0, untilMs: 0 }
      return [own ?? { stream, shard, ...fresh }]
    })
  })
}

export function nameOf({ stream, shard }: Pick<Lease, 'stream' | 'shard'>): string {
  return `${stream}/${shard}`
}
