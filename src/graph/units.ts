import type { ConsumedCapacity } from '../dynamodb/operations/capacity.js'
import { TABLE } from '../plan/price.js'

type Units = Record<string, number>

/** Capacity units that a call took. */
export class Tally {
  readonly read: Units = {}
  readonly write: Units = {}
  private readonly all: Units = {}
  total = 0

  add(effect: 'read' | 'write', capacity: ConsumedCapacity): void {
    const { Table, GlobalSecondaryIndexes, LocalSecondaryIndexes } = capacity
    // A store that does not tell the parts apart read or wrote the table, as far as anyone knows.
    const own = Table ?? (GlobalSecondaryIndexes || LocalSecondaryIndexes ? {} : capacity)
    const places = Object.entries({ [TABLE]: own, ...GlobalSecondaryIndexes, ...LocalSecondaryIndexes })
    for (const [place, { CapacityUnits = 0 }] of places) {
      this.total += CapacityUnits
      if (CapacityUnits > 0)
        for (const units of [this[effect], this.all]) units[place] = (units[place] ?? 0) + CapacityUnits
    }
  }

  consumed() {
    const { total, read, write, all } = this
    const { [TABLE]: table = 0, ...indexes } = all
    return { total, table, indexes, read, write }
  }
}
