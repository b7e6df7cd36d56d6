import { encoder } from '../keys/encoder.js'
import { partitionOf } from '../keys/partition.js'
import type { Index, Table } from '../tables/table.js'
import type { Stored } from '../values/stored.js'

/** What a request goes to: a table or an index, and a partition of it unless it reads across them. */
export interface Target {
  readonly table: Table
  readonly index: Index | undefined
  readonly partition: string | undefined
}

/** The partition of a key, or of keys that begin so, of a table or an index. */
export function targetOf(table: Table, index: Index | undefined, key: string): Target {
  return { table, index, partition: partitionOf((index ?? table).keys, key) }
}

/** The partition of an index that has the entry of an item. */
export function entryTarget(table: Table, index: Index, { item }: Stored): Target {
  const values = index.keys.partition.map(({ name }) => item[name]!)
  return { table, index, partition: encoder.partition(values).text() }
}

/** Local indexes take of the capacity of their table, whose partitions are theirs. */
export function payerOf(target: Target): Target {
  return target.index?.kind === 'local' ? { ...target, index: undefined } : target
}
