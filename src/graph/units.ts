import type { ConsumedCapacity } from '../dynamodb/operations/capacity.js'
import { TABLE, totalUnits } from '../plan/price.js'

type Units = Record<string, number>

/** Capacity units that a call took. */
export class Tally {
  readonly read: Units = {}
  readonly write: Units = {}
  total = 0

  add(effect: 'read' | 'write', capacity: ConsumedCapacity): void {
    const { Table, GlobalSecondaryIndexes, LocalSecondaryIndexes } = capacity
    // A store that does not tell the parts apart read or wrote the table, as far as anyone knows.
    const own = Table ?? (GlobalSecondaryIndexes || LocalSecondaryIndexes ? {} : capacity)
    const places = Object.entries({ [TABLE]: own, ...GlobalSecondaryIndexes, ...LocalSecondaryIndexes })
    for (const [place, { CapacityUnits = 0 }] of places) {
      this.total += CapacityUnits
      const units = this[effect]
      if (CapacityUnits > 0) units[place] = (units[place] ?? 0) + CapacityUnits
    }
  }

  consumed() {
    const { total, read, write } = this
    const { [TABLE]: table = 0, ...indexes } = totalUnits([read, write])
    return { total, table, indexes, read, write }
  }
}
