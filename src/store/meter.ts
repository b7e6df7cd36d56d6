import type { Capacity, ConsumedCapacity } from '../dynamodb/operations/capacity.js'
import { OPERATIONS } from './operations.js'
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

class TableMeter {
  readonly total: Units = { read: 0, write: 0 }
  readonly table: Units = { read: 0, write: 0 }
  readonly globalSecondaryIndexes = new Map<string, Units>()
  readonly localSecondaryIndexes = new Map<string, Units>()

  add(effect: keyof Units, consumed: ConsumedCapacity): void {
    addUnits(this.total, effect, consumed)
    // A store that does not tell the parts apart read or wrote the table, as far as anyone knows.
    addUnits(this.table, effect, consumed.Table ?? (hasIndexes(consumed) ? {} : consumed))
    addIndexes(this.globalSecondaryIndexes, effect, consumed.GlobalSecondaryIndexes)
    addIndexes(this.localSecondaryIndexes, effect, consumed.LocalSecondaryIndexes)
  }

  snapshot(): TableUsage {
    return {
      ...this.total,
      table: { ...this.table },
      globalSecondaryIndexes: copy(this.globalSecondaryIndexes),
      localSecondaryIndexes: copy(this.localSecondaryIndexes),
    }
  }
}

export class Meter {
  readonly #requests = new Map<Operation, number>()
  readonly #tables = new Map<string, TableMeter>()

  /** A copy of what was counted since the last reset. */
  snapshot(): Usage {
    return {
      requests: Object.fromEntries(this.#requests),
      tables: Object.fromEntries(Array.from(this.#tables, ([name, table]) => [name, table.snapshot()])),
    }
  }

  reset(): void {
    this.#requests.clear()
    this.#tables.clear()
  }

  countRequest(operation: Operation): void {
    this.#requests.set(operation, (this.#requests.get(operation) ?? 0) + 1)
  }

  countCapacity(operation: Operation, consumed: ConsumedCapacity): void {
    const { TableName = '' } = consumed
    const table = this.#tables.get(TableName) ?? new TableMeter()
    table.add(OPERATIONS[operation].effect, consumed)
    this.#tables.set(TableName, table)
  }
}

/** Only transactions tell reads and writes apart; the units of anything else are of the operation's own kind. */
function addUnits(sum: Units, effect: keyof Units, capacity: Capacity): void {
  const { ReadCapacityUnits: read, WriteCapacityUnits: write, CapacityUnits: units = 0 } = capacity
  if (read === undefined && write === undefined) sum[effect] += units
  sum.read += read ?? 0
  sum.write += write ?? 0
}

function addIndexes(sums: Map<string, Units>, effect: keyof Units, indexes: Record<string, Capacity> = {}): void {
  for (const [name, capacity] of Object.entries(indexes)) {
    const sum = sums.get(name) ?? { read: 0, write: 0 }
    addUnits(sum, effect, capacity)
    sums.set(name, sum)
  }
}

function hasIndexes(consumed: ConsumedCapacity): boolean {
  return consumed.GlobalSecondaryIndexes !== undefined || consumed.LocalSecondaryIndexes !== undefined
}

function copy(sums: ReadonlyMap<string, Units>): Record<string, Units> {
  return Object.fromEntries(Array.from(sums, ([name, units]) => [name, { ...units }]))
}
