import type { Key } from '../../dynamodb/attribute-value.js'
import { PARTITION_READ_UNITS, PARTITION_WRITE_UNITS } from '../../dynamodb/limits.js'
import type { KeySchema } from '../keys/key-schema.js'
import { parsePartitionKey } from '../keys/partition-key.js'
import type { TrafficDirection } from './traffic-settings.js'

/** Consumed units. */
export interface TakenUnits {
  readonly readUnits: number
  readonly writeUnits: number
}

/** The units that one partition key consumed. */
export interface KeyHeat extends TakenUnits {
  readonly key: Key
}

type UnitsByDirection = Record<TrafficDirection, number>

/** Counts units by partition key. When there are too many keys, those with the least traffic are merged. */
export class HeatCounter {
  private readonly unitsByPartition = new Map<string, UnitsByDirection>()
  private readonly others: UnitsByDirection = { Read: 0, Write: 0 }

  constructor(private readonly maxKeys: number) {}

  add(partition: string | undefined, direction: TrafficDirection, units: number): void {
    if (partition === undefined) this.others[direction] += units
    else this.unitsOf(partition)[direction] += units
  }

  hottest(keys: KeySchema): KeyHeat[] {
    return this.sortByHeat()
      .slice(0, this.maxKeys)
      .map(([partition, units]) => ({ key: parsePartitionKey(keys, partition), ...toTakenUnits(units) }))
  }

  /** Returns the units that are not attributed to a key. */
  rest(): TakenUnits {
    const rest = { ...this.others }
    for (const [, units] of this.sortByHeat().slice(this.maxKeys)) addUnits(rest, units)
    return toTakenUnits(rest)
  }

  private unitsOf(partition: string): UnitsByDirection {
    const known = this.unitsByPartition.get(partition)
    if (known) return known
    if (this.unitsByPartition.size >= 2 * this.maxKeys) this.mergeColdest()
    const units = { Read: 0, Write: 0 }
    this.unitsByPartition.set(partition, units)
    return units
  }

  private mergeColdest(): void {
    for (const [partition, units] of this.sortByHeat().slice(this.maxKeys)) {
      addUnits(this.others, units)
      this.unitsByPartition.delete(partition)
    }
  }

  private sortByHeat(): [partition: string, taken: UnitsByDirection][] {
    return [...this.unitsByPartition].sort(([, a], [, b]) => heatOf(b) - heatOf(a))
  }
}

/** Returns the number of seconds that a partition needs for the units. */
function heatOf({ Read, Write }: UnitsByDirection): number {
  return Read / PARTITION_READ_UNITS + Write / PARTITION_WRITE_UNITS
}

function addUnits(sum: UnitsByDirection, more: UnitsByDirection): void {
  sum.Read += more.Read
  sum.Write += more.Write
}

function toTakenUnits({ Read, Write }: UnitsByDirection): TakenUnits {
  return { readUnits: Read, writeUnits: Write }
}
