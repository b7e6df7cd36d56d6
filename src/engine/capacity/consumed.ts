import type {
  Capacity,
  ConsumedCapacity,
  ReturnConsumedCapacity,
  VectorCapacity,
} from '../../dynamodb/operations/capacity.js'
import type { IndexUnits } from '../indexes/maintain.js'
import type { Table } from '../tables/table.js'
import type { VectorBytes } from '../vectors/maintain.js'

/** What an operation took of one table: units of the table itself, and of its indexes. */
export interface Units {
  table: number
  indexes: IndexUnits | undefined
  /** Bytes that were written to vector indexes, which no units are paid for. */
  vectors?: VectorBytes | undefined
}

/** Transactions also tell which way the units went. */
export type Direction = 'read' | 'write'

/** The table is told as the request named it, be that by its ARN. */
export function consumedCapacity(
  mode: ReturnConsumedCapacity | undefined,
  tableName: string,
  units: Units,
  direction?: Direction,
): ConsumedCapacity | undefined {
  if (mode !== 'TOTAL' && mode !== 'INDEXES') return undefined
  let total = units.table
  if (units.indexes) for (const spent of units.indexes.values()) total += spent
  const consumed: ConsumedCapacity = { TableName: tableName, ...detail(total, direction) }
  if (mode === 'TOTAL') return consumed
  consumed.Table = detail(units.table, direction)
  if (units.indexes) addIndexes(consumed, units.indexes, direction)
  if (units.vectors) consumed.VectorIndexes = vectorIndexes(units.vectors)
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

function vectorIndexes(vectors: VectorBytes): Record<string, VectorCapacity> {
  return Object.fromEntries([...vectors].map(([{ name }, bytes]) => [name, { VectorWriteRequestBytes: bytes }]))
}

interface NamedUnits extends Units {
  readonly name: string
}

/** Adds up the units of several writes or reads, by table. */
export class TableUnits {
  private readonly byTable = new Map<Table, NamedUnits>()

  /** A table that is named in two ways is told by the first. */
  add(table: Table, units: Units, name = table.name): void {
    const sum = this.byTable.get(table)
    if (!sum) this.byTable.set(table, { ...units, name })
    else {
      sum.table += units.table
      if (units.indexes) sum.indexes = addUnits(sum.indexes, units.indexes)
      if (units.vectors) sum.vectors = addUnits(sum.vectors, units.vectors)
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
      const consumed = consumedCapacity(mode, units.name, units, direction)!
      const more = lost?.byTable.get(table)?.table
      return more === undefined ? consumed : { ...consumed, CapacityUnits: consumed.CapacityUnits! + more }
    })
  }
}

function addUnits<Of>(sum: ReadonlyMap<Of, number> | undefined, more: ReadonlyMap<Of, number>): Map<Of, number> {
  const result = new Map(sum)
  for (const [index, spent] of more) result.set(index, (result.get(index) ?? 0) + spent)
  return result
}
