import type { Engine } from '../engine.js'
import type { Index, Table } from '../tables/table.js'
import { Bucket } from './bucket.js'
import { type KnownLimit, limitOf } from './limit.js'
import { Partitions } from './partitions.js'
import type { Direction, ThrottleSettings } from './settings.js'
import type { Target } from './target.js'
import { throttled } from './throttled.js'

interface Capacity {
  /** From the first request on, where there is a limit to it. */
  bucket: Bucket | undefined
  readonly partitions: Partitions
}

/** Holds back what tables and global indexes have no capacity for. */
export class Throttle {
  private readonly capacities = new WeakMap<Table | Index, Record<Direction, Capacity>>()

  constructor(private readonly settings: ThrottleSettings) {}

  /** Refuses a request for want of capacity. */
  admit(engine: Engine, target: Target, direction: Direction): void {
    const nowMs = engine.now()
    const capacity = this.capacityOf(target, direction)
    if (target.partition !== undefined && !capacity.partitions.hasAny(target.partition, nowMs))
      throw throttled(engine, target, direction, 'KeyRangeThroughputExceeded')
    const limit = limitOf(target, direction, this.settings)
    if (limit && !bucketOf(capacity, target, limit, nowMs).hasAny(limit, nowMs))
      throw throttled(engine, target, direction, limit.kind)
  }

  /** Of what was admitted, once it is known how much it takes. */
  take(target: Target, direction: Direction, units: number, nowMs: number): void {
    const { bucket, partitions } = this.capacityOf(target, direction)
    if (target.partition !== undefined) partitions.take(target.partition, units, nowMs)
    bucket?.take(units)
  }

  private capacityOf({ table, index }: Target, direction: Direction): Capacity {
    const of = index ?? table
    const known = this.capacities.get(of)
    if (known) return known[direction]
    const made = { Read: this.newCapacity('Read'), Write: this.newCapacity('Write') }
    this.capacities.set(of, made)
    return made[direction]
  }

  private newCapacity(direction: Direction): Capacity {
    const limit = { unitsPerSecond: this.settings.partitionUnits[direction], burstSeconds: 1 }
    return { bucket: undefined, partitions: new Partitions(limit) }
  }
}

/** Capacity comes in from the creation of a table on, also before anyone asks for any. */
function bucketOf(capacity: Capacity, { table, index }: Target, limit: KnownLimit, nowMs: number): Bucket {
  const sinceMs = index?.addedLater ? nowMs : (table.description.CreationDateTime?.getTime() ?? nowMs)
  capacity.bucket ??= new Bucket(limit, sinceMs)
  return capacity.bucket
}
