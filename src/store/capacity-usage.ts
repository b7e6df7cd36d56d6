import type { Capacity, ConsumedCapacity } from '../dynamodb/operations/capacity.js'
import { addAmounts } from './consumed-capacity.js'
import type { Operation } from './port.js'

/** Capacity units. */
export interface Units {
  read: number
  write: number
}

/** Units of one table: of the table and its indexes together, then of each apart. */
export interface TableUsage extends Units {
  table: Units
  globalSecondaryIndexes: Record<string, Units>
  localSecondaryIndexes: Record<string, Units>
}

/** What was counted, by table. */
export interface Usage {
  /** Requests sent, whatever came of them, by operation; an operation that was never sent is absent. */
  requests: Partial<Record<Operation, number>>
  /** What the answers say was consumed, by table. DynamoDB does not say it of requests that failed. */
  tables: Record<string, TableUsage>
}

/** A table may be called `constructor`. */
export const emptyUsage = (): Usage => ({ requests: {}, tables: Object.create(null) })

/** Adds what an answer tells. */
export function addConsumedCapacity({ tables }: Usage, effect: keyof Units, consumed: ConsumedCapacity): void {
  const { TableName = '', Table, GlobalSecondaryIndexes: global, LocalSecondaryIndexes: local } = consumed
  // Only transactions tell reads and writes apart; the units of anything else are of the operation's own kind.
  const unitsOf = ({ ReadCapacityUnits, WriteCapacityUnits, CapacityUnits = 0 }: Capacity): Units =>
    ReadCapacityUnits === undefined && WriteCapacityUnits === undefined
      ? { read: 0, write: 0, [effect]: CapacityUnits }
      : { read: ReadCapacityUnits ?? 0, write: WriteCapacityUnits ?? 0 }
  const unitsByIndex = (indexes: Record<string, Capacity> = {}) =>
    Object.fromEntries(Object.entries(indexes).map(([name, capacity]) => [name, unitsOf(capacity)]))
  const usage: TableUsage = {
    ...unitsOf(consumed),
    // A store that does not tell the parts apart read or wrote the table, as far as anyone knows.
    table: unitsOf(Table ?? ((global ?? local) ? {} : consumed)),
    globalSecondaryIndexes: unitsByIndex(global),
    localSecondaryIndexes: unitsByIndex(local),
  }
  tables[TableName] = addAmounts(tables[TableName] ?? {}, usage) as TableUsage
}
