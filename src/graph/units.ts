import type { ConsumedCapacity } from '../dynamodb/operations/capacity.js'
import { TABLE } from '../plan/price.js'

type Units = Record<string, number>

/** Capacity units that a call took. */
export class Tally {
  readonly read: Units = {}
  readonly write: Units = {}

  add(effect: 'read' | 'write', capacity: ConsumedCapacity): void {
    const { Table, GlobalSecondaryIndexes, LocalSecondaryIndexes } = capacity
    // A store that does not tell the parts apart read or wrote the table, as far as anyone knows.
    const own = Table ?? (GlobalSecondaryIndexes || LocalSecondaryIndexes ? {} : capacity)
    const places = Object.entries({ [TABLE]: own, ...GlobalSecondaryIndexes, ...LocalSecondaryIndexes })
    for (const [place, { CapacityUnits = 0 }] of places)
      if (CapacityUnits > 0) this[effect][place] = (this[effect][place] ?? 0) + CapacityUnits
  }

  consumed() {
    const { read, write } = this
    const { [TABLE]: table = 0, ...indexes } = sum(read, write)
    return { total: this.total, table, indexes, read, write }
  }

  get total(): number {
    return [...Object.values(this.read), ...Object.values(this.write)].reduce((all, units) => all + units, 0)
  }
}

function sum(one: Units, other: Units): Units {
  const all = { ...one }
  for (const [place, units] of Object.entries(other)) all[place] = (all[place] ?? 0) + units
  return all
}
