import type { Capacity, ConsumedCapacity, ReturnConsumedCapacity } from '../../dynamodb/operations/capacity.js'
import type { IndexUnits } from '../indexes/maintain.js'
import type { Index, Table } from '../tables/table.js'

/** What an operation took of one table: units of the table itself, and of its indexes. */
export interface Units {
  table: number
  indexes: IndexUnits | undefined
}

/** Transactions also tell which way the units went. */
export type Direction = 'read' | 'write'

export function consumedCapacity(
  mode: ReturnConsumedCapacity | undefined,
  table: Table,
  units: Units,
  direction?: Direction,
): ConsumedCapacity | undefined {
  if (mode !== 'TOTAL' && mode !== 'INDEXES') return undefined
  let total = units.table
  if (units.indexes) for (const spent of units.indexes.values()) total += spent
  const consumed: ConsumedCapacity = { TableName: table.name, ...detail(total, direction) }
  if (mode === 'TOTAL') return consumed
  consumed.Table = detail(units.table, direction)
  if (units.indexes) addIndexes(consumed, units.indexes, direction)
  return consumed
}

function detail(units: number, direction: Direction | undefined): Capacity {
  if (direction === 'read') return { CapacityUnits: units, ReadCapacityUnits: units }
  if (direction === 'write') return { CapacityUnits: units, WriteCapacityUnits: units }
  return { CapacityUnits: units }
}

function addIndexes(consumed: ConsumedCapacity, indexes: IndexUnits, direction: Direction | undefined): void {
  for (const [index, spent] of indexes) {
    const member = index.kind === 'global' ? 'GlobalSecondaryIndexes' : 'LocalSecondaryIndexes'
    // Not by assignment: an index may be called `__proto__`.
    consumed[member] = { ...consumed[member], [index.name]: detail(spent, direction) }
  }
}

/** Adds up the units of several writes or reads, by table. */
export class TableUnits {
  private readonly byTable = new Map<Table, Units>()

  add(table: Table, units: Units): void {
    const sum = this.byTable.get(table)
    if (!sum) this.byTable.set(table, { table: units.table, indexes: units.indexes && new Map(units.indexes) })
    else {
      sum.table += units.table
      if (units.indexes) sum.indexes = addUnits(sum.indexes, units.indexes)
    }
  }

  /** What was lost by the way counts for its table in all, but neither for the table itself nor for any index. */
  consumed(
    mode: ReturnConsumedCapacity | undefined,
    direction?: Direction,
    lost?: TableUnits,
  ): ConsumedCapacity[] | undefined {
    if (mode !== 'TOTAL' && mode !== 'INDEXES') return undefined
    return [...this.byTable].map(([table, units]) => {
      const consumed = consumedCapacity(mode, table, units, direction)!
      const more = lost?.byTable.get(table)?.table
      return more === undefined ? consumed : { ...consumed, CapacityUnits: consumed.CapacityUnits! + more }
    })
  }
}

function addUnits(sum: IndexUnits | undefined, more: IndexUnits): Map<Index, number> {
  const result = new Map(sum)
  for (const [index, spent] of more) result.set(index, (result.get(index) ?? 0) + spent)
  return result
}
