import type { Capacity, ConsumedCapacity } from '../dynamodb/operation-types.js'
import { addAmounts } from './consumed-capacity.js'
import type { Operation } from './port.js'

/** Capacity units, read and written. */
export interface Units {
  read: number
  write: number
}

/** The units of one table: the total of the table and its indexes, then each of them. */
export interface TableUsage extends Units {
  table: Units
  globalSecondaryIndexes: Record<string, Units>
  localSecondaryIndexes: Record<string, Units>
}

/** The requests and capacity that a metered store counted. */
export interface Usage {
  /** The number of requests sent, failed ones included, by operation. An operation that was never sent is absent. */
  requests: Partial<Record<Operation, number>>
  /** The capacity that responses report, by table. DynamoDB reports none for failed requests. */
  tables: Record<string, TableUsage>
}

/** A null prototype, because a table may be named `constructor`. */
export const emptyUsage = (): Usage => ({ requests: {}, tables: Object.create(null) })

/** Adds the capacity that a response reports. */
export function addConsumedCapacity({ tables }: Usage, effect: keyof Units, consumed: ConsumedCapacity): void {
  const { TableName = '', Table, GlobalSecondaryIndexes: global, LocalSecondaryIndexes: local } = consumed
  // Only transactions report reads and writes separately; for other operations the operation decides.
  const unitsOf = ({ ReadCapacityUnits, WriteCapacityUnits, CapacityUnits = 0 }: Capacity): Units =>
    ReadCapacityUnits === undefined && WriteCapacityUnits === undefined
      ? { read: 0, write: 0, [effect]: CapacityUnits }
      : { read: ReadCapacityUnits ?? 0, write: WriteCapacityUnits ?? 0 }
  const unitsByIndex = (indexes: Record<string, Capacity> = {}) =>
    Object.fromEntries(Object.entries(indexes).map(([name, capacity]) => [name, unitsOf(capacity)]))
  const usage: TableUsage = {
    ...unitsOf(consumed),
    // Without a breakdown, all units count as those of the table.
    table: unitsOf(Table ?? ((global ?? local) ? {} : consumed)),
    globalSecondaryIndexes: unitsByIndex(global),
    localSecondaryIndexes: unitsByIndex(local),
  }
  tables[TableName] = addAmounts(tables[TableName] ?? {}, usage) as TableUsage
}
