import type {
  Capacity,
  ConsumedCapacity,
  ReturnConsumedCapacity,
  VectorCapacity,
} from '../../dynamodb/operation-types.js'
import type { IndexUnits } from '../indexes/maintain-indexes.js'
import type { Table } from '../tables/table.js'
import type { VectorBytes } from '../vectors/maintain-vector-indexes.js'

/** The units that an operation consumed on one table and on its indexes. */
export interface OperationUnits {
  table: number
  indexes: IndexUnits | undefined
  /** Bytes that were written to vector indexes. They are billed by bytes, not by units. */
  vectorBytes?: VectorBytes | undefined
}

/** Transactions also report read and write units separately. */
export type CapacityDirection = 'read' | 'write'

/** Returns the consumed capacity under the table name or ARN that the request used. */
export function toConsumedCapacity(
  mode: ReturnConsumedCapacity | undefined,
  tableName: string,
  units: OperationUnits,
  direction?: CapacityDirection,
): ConsumedCapacity | undefined {
  if (mode !== 'TOTAL' && mode !== 'INDEXES') return undefined
  let total = units.table
  if (units.indexes) for (const spent of units.indexes.values()) total += spent
  const consumed: ConsumedCapacity = { TableName: tableName, ...toCapacity(total, direction) }
  if (mode === 'TOTAL') return consumed
  consumed.Table = toCapacity(units.table, direction)
  if (units.indexes) addIndexes(consumed, units.indexes, direction)
  if (units.vectorBytes) consumed.VectorIndexes = toVectorCapacities(units.vectorBytes)
  return consumed
}

function toCapacity(units: number, direction: CapacityDirection | undefined): Capacity {
  if (direction === 'read') return { CapacityUnits: units, ReadCapacityUnits: units }
  if (direction === 'write') return { CapacityUnits: units, WriteCapacityUnits: units }
  return { CapacityUnits: units }
}

function addIndexes(consumed: ConsumedCapacity, indexes: IndexUnits, direction: CapacityDirection | undefined): void {
  for (const [index, spent] of indexes) {
    const member = index.kind === 'global' ? 'GlobalSecondaryIndexes' : 'LocalSecondaryIndexes'
    // Object spread, not assignment, because an index can be named `__proto__`.
    consumed[member] = { ...consumed[member], [index.name]: toCapacity(spent, direction) }
  }
}

function toVectorCapacities(vectors: VectorBytes): Record<string, VectorCapacity> {
  return Object.fromEntries([...vectors].map(([{ name }, bytes]) => [name, { VectorWriteRequestBytes: bytes }]))
}

interface NamedUnits extends OperationUnits {
  readonly name: string
}

/** Sums the units of several reads or writes by table. */
export class TableUnits {
  private readonly byTable = new Map<Table, NamedUnits>()

  /** If a request names a table in two ways, the output uses the first. */
  add(table: Table, units: OperationUnits, name = table.name): void {
    const sum = this.byTable.get(table)
    if (!sum) this.byTable.set(table, { ...units, name })
    else {
      sum.table += units.table
      if (units.indexes) sum.indexes = sumUnits(sum.indexes, units.indexes)
      if (units.vectorBytes) sum.vectorBytes = sumUnits(sum.vectorBytes, units.vectorBytes)
    }
  }

  /**
   * Units of failed actions count toward the total of their table, but neither toward the table itself nor toward an
   * index.
   */
  toConsumedCapacities(
    mode: ReturnConsumedCapacity | undefined,
    direction?: CapacityDirection,
    failedUnits?: TableUnits,
  ): ConsumedCapacity[] | undefined {
    if (mode !== 'TOTAL' && mode !== 'INDEXES') return undefined
    return [...this.byTable].map(([table, units]) => {
      const consumed = toConsumedCapacity(mode, units.name, units, direction)!
      const failedTableUnits = failedUnits?.byTable.get(table)?.table
      return failedTableUnits === undefined
        ? consumed
        : { ...consumed, CapacityUnits: consumed.CapacityUnits! + failedTableUnits }
    })
  }
}

function sumUnits<Of>(sum: ReadonlyMap<Of, number> | undefined, more: ReadonlyMap<Of, number>): Map<Of, number> {
  const result = new Map(sum)
  for (const [index, spent] of more) result.set(index, (result.get(index) ?? 0) + spent)
  return result
}
