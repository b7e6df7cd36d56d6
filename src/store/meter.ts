import type { Capacity, ConsumedCapacity } from '../dynamodb/operations/capacity.js'
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

const none = (): Units => ({ read: 0, write: 0 })

/** A table or an index may be called `constructor`. */
const byName = <T>(): Record<string, T> => Object.create(null)

export const unused = (): Usage => ({ requests: {}, tables: byName() })

/** Adds what an answer tells. */
export function count({ tables }: Usage, effect: keyof Units, consumed: ConsumedCapacity): void {
  const { TableName = '', Table, GlobalSecondaryIndexes: global, LocalSecondaryIndexes: local } = consumed
  tables[TableName] ??= {
    ...none(),
    table: none(),
    globalSecondaryIndexes: byName(),
    localSecondaryIndexes: byName(),
  }
  const usage = tables[TableName]
  addUnits(usage, effect, consumed)
  // A store that does not tell the parts apart read or wrote the table, as far as anyone knows.
  addUnits(usage.table, effect, Table ?? ((global ?? local) ? {} : consumed))
  addIndexes(usage.globalSecondaryIndexes, effect, global)
  addIndexes(usage.localSecondaryIndexes, effect, local)
}

/** Only transactions tell reads and writes apart; the units of anything else are of the operation's own kind. */
function addUnits(sum: Units, effect: keyof Units, capacity: Capacity): void {
  const { ReadCapacityUnits: read, WriteCapacityUnits: write, CapacityUnits: units = 0 } = capacity
  if (read === undefined && write === undefined) sum[effect] += units
  sum.read += read ?? 0
  sum.write += write ?? 0
}

function addIndexes(sums: Record<string, Units>, effect: keyof Units, indexes: Record<string, Capacity> = {}): void {
  for (const [name, capacity] of Object.entries(indexes)) {
    sums[name] ??= none()
    addUnits(sums[name], effect, capacity)
  }
}
