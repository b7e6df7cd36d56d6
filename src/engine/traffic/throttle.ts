import type { Engine } from '../engine.js'
import type { Table, TableIndex } from '../tables/table.js'
import { PartitionBuckets } from './partition-buckets.js'
import { type KindedRateLimit, rateLimitOf } from './rate-limits.js'
import { throttlingError } from './throttling-error.js'
import { TokenBucket } from './token-bucket.js'
import type { ThrottleSettings, TrafficDirection } from './traffic-settings.js'
import type { TrafficTarget } from './traffic-target.js'

interface TargetCapacity {
  /** Created with the first request, if there is a limit. */
  bucket: TokenBucket | undefined
  readonly partitions: PartitionBuckets
}

/** Throttles requests to tables and global indexes without capacity. */
export class Throttle {
  private readonly capacities = new WeakMap<Table | TableIndex, Record<TrafficDirection, TargetCapacity>>()

  constructor(private readonly settings: ThrottleSettings) {}

  /** Throws if there is no capacity for a request. */
  admit(engine: Engine, target: TrafficTarget, direction: TrafficDirection): void {
    const nowMs = engine.now()
    const capacity = this.capacityOf(target, direction)
    if (target.partition !== undefined && !capacity.partitions.hasAny(target.partition, nowMs))
      throw throttlingError(engine, target, direction, 'KeyRangeThroughputExceeded')
    const limit = rateLimitOf(target, direction, this.settings)
    if (limit && !bucketOf(capacity, target, limit, nowMs).hasAny(limit, nowMs))
      throw throttlingError(engine, target, direction, limit.kind)
  }

  /** Takes the units of an admitted request, once they are known. */
  take(target: TrafficTarget, direction: TrafficDirection, units: number, nowMs: number): void {
    const { bucket, partitions } = this.capacityOf(target, direction)
    if (target.partition !== undefined) partitions.take(target.partition, units, nowMs)
    bucket?.take(units)
  }

  private capacityOf({ table, index }: TrafficTarget, direction: TrafficDirection): TargetCapacity {
    const resource = index ?? table
    const known = this.capacities.get(resource)
    if (known) return known[direction]
    const capacities = { Read: this.newCapacity('Read'), Write: this.newCapacity('Write') }
    this.capacities.set(resource, capacities)
    return capacities[direction]
  }

  private newCapacity(direction: TrafficDirection): TargetCapacity {
    const limit = { unitsPerSecond: this.settings.partitionUnits[direction], burstSeconds: 1 }
    return { bucket: undefined, partitions: new PartitionBuckets(limit) }
  }
}

/** Returns the bucket of a table or index. Capacity accumulates from the creation on, even before the first request. */
function bucketOf(
  capacity: TargetCapacity,
  { table, index }: TrafficTarget,
  limit: KindedRateLimit,
  nowMs: number,
): TokenBucket {
  const sinceMs = index?.addedLater ? nowMs : (table.description.CreationDateTime?.getTime() ?? nowMs)
  capacity.bucket ??= new TokenBucket(limit, sinceMs)
  return capacity.bucket
}
