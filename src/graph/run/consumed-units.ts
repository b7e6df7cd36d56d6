import type { ConsumedCapacity } from '../../dynamodb/operation-types.js'
import { TABLE_UNITS_KEY, totalUnits } from '../../plan/price/read-price.js'

type UnitsByPlace = Record<string, number>

/** Capacity units that a call consumed. */
export class ConsumedUnits {
  readonly read: UnitsByPlace = {}
  readonly write: UnitsByPlace = {}
  total = 0

  add(effect: 'read' | 'write', capacity: ConsumedCapacity): void {
    const { Table, GlobalSecondaryIndexes, LocalSecondaryIndexes } = capacity
    // A store that reports only a total is assumed to have used the table.
    const tableCapacity = Table ?? (GlobalSecondaryIndexes || LocalSecondaryIndexes ? {} : capacity)
    const places = Object.entries({
      [TABLE_UNITS_KEY]: tableCapacity,
      ...GlobalSecondaryIndexes,
      ...LocalSecondaryIndexes,
    })
    for (const [place, { CapacityUnits = 0 }] of places) {
      this.total += CapacityUnits
      const units = this[effect]
      if (CapacityUnits > 0) units[place] = (units[place] ?? 0) + CapacityUnits
    }
  }

  toConsumed() {
    const { total, read, write } = this
    const { [TABLE_UNITS_KEY]: table = 0, ...indexes } = totalUnits([read, write])
    return { total, table, indexes, read, write }
  }
}
