import type {
  Capacity,
  ConsumedCapacity,
  ReturnConsumedCapacity,
  VectorCapacity,
} from '../../dynamodb/operations/capacity.js'
import type { IndexUnits } from '../indexes/maintain-indexes.js'
import type { Table } from '../tables/table.js'
import type { VectorBytes } from '../vectors/maintain-vector-indexes.js'

/** What an operation took of one table: units of the table itself, and of its indexes. */
export interface OperationUnits {
  table: number
  indexes: IndexUnits | undefined
  /** Bytes that were written to vector indexes, which no units are paid for. */
  vectorBytes?: VectorBytes | undefined
}

/** Transactions also tell which way the units went. */
export type CapacityDirection = 'read' | 'write'

/** The table is told as the request named it, be that by its ARN. */
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
    // Not by assignment: an index may be called `__proto__`.
    consumed[member] = { ...consumed[member], [index.name]: toCapacity(spent, direction) }
  }
}

function toVectorCapacities(vectors: VectorBytes): Record<string, VectorCapacity> {
  return Object.fromEntries([...vectors].map(([{ name }, bytes]) => [name, { VectorWriteRequestBytes: bytes }]))
}

interface NamedUnits extends OperationUnits {
  readonly name: string
}

/** Adds up the units of several writes or reads, by table. */
export class TableUnits {
  private readonly byTable = new Map<Table, NamedUnits>()

  /** A table that is named in two ways is told by the first. */
  add(table: Table, units: OperationUnits, name = table.name): void {
    const sum = this.byTable.get(table)
    if (!sum) this.byTable.set(table, { ...units, name })
    else {
      sum.table += units.table
      if (units.indexes) sum.indexes = sumUnits(sum.indexes, units.indexes)
      if (units.vectorBytes) sum.vectorBytes = sumUnits(sum.vectorBytes, units.vectorBytes)
    }
  }

  /** What was lost by the way counts for its table in all, but neither for the table itself nor for any index. */
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
