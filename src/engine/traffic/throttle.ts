import type { Engine } from '../engine.js'
import type { Table, TableIndex } from '../tables/table.js'
import { PartitionBuckets } from './partition-buckets.js'
import { type KindedRateLimit, rateLimitOf } from './rate-limits.js'
import { throttlingError } from './throttling-error.js'
import { TokenBucket } from './token-bucket.js'
import type { ThrottleSettings, TrafficDirection } from './traffic-settings.js'
import type { TrafficTarget } from './traffic-target.js'

interface TargetCapacity {
  /** From the first request on, where there is a limit to it. */
  bucket: TokenBucket | undefined
  readonly partitions: PartitionBuckets
}

/** Holds back what tables and global indexes have no capacity for. */
export class Throttle {
  private readonly capacities = new WeakMap<Table | TableIndex, Record<TrafficDirection, TargetCapacity>>()

  constructor(private readonly settings: ThrottleSettings) {}

  /** Refuses a request for want of capacity. */
  admit(engine: Engine, target: TrafficTarget, direction: TrafficDirection): void {
    const nowMs = engine.now()
    const capacity = this.capacityOf(target, direction)
    if (target.partition !== undefined && !capacity.partitions.hasAny(target.partition, nowMs))
      throw throttlingError(engine, target, direction, 'KeyRangeThroughputExceeded')
    const limit = rateLimitOf(target, direction, this.settings)
    if (limit && !bucketOf(capacity, target, limit, nowMs).hasAny(limit, nowMs))
      throw throttlingError(engine, target, direction, limit.kind)
  }

  /** Of what was admitted, once it is known how much it takes. */
  take(target: TrafficTarget, direction: TrafficDirection, units: number, nowMs: number): void {
    const { bucket, partitions } = this.capacityOf(target, direction)
    if (target.partition !== undefined) partitions.take(target.partition, units, nowMs)
    bucket?.take(units)
  }

  private capacityOf({ table, index }: TrafficTarget, direction: TrafficDirection): TargetCapacity {
    const resource = index ?? table
    const known = this.capacities.get(resource)
    if (known) return known[direction]
    const made = { Read: this.newCapacity('Read'), Write: this.newCapacity('Write') }
    this.capacities.set(resource, made)
    return made[direction]
  }

  private newCapacity(direction: TrafficDirection): TargetCapacity {
    const limit = { unitsPerSecond: this.settings.partitionUnits[direction], burstSeconds: 1 }
    return { bucket: undefined, partitions: new PartitionBuckets(limit) }
  }
}

/** Capacity comes in from the creation of a table on, also before anyone asks for any. */
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
