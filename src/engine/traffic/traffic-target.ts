import { keyEncoder } from '../keys/key-encoder.js'
import { partitionPrefixOf } from '../keys/partition-key.js'
import type { Table, TableIndex } from '../tables/table.js'
import type { StoredItem } from '../values/stored-item.js'

/** What a request goes to: a table or an index, and a partition of it unless it reads across them. */
export interface TrafficTarget {
  readonly table: Table
  readonly index: TableIndex | undefined
  readonly partition: string | undefined
}

/** The partition of a key, or of keys that begin so, of a table or an index. */
export function trafficTargetOf(table: Table, index: TableIndex | undefined, key: string): TrafficTarget {
  return { table, index, partition: partitionPrefixOf((index ?? table).keys, key) }
}

/** The partition of an index that has the entry of an item. */
export function entryTargetOf(table: Table, index: TableIndex, { item }: StoredItem): TrafficTarget {
  const values = index.keys.partition.map(({ name }) => item[name]!)
  return { table, index, partition: keyEncoder.beginPartition(values).toText() }
}

/** Local indexes take of the capacity of their table, whose partitions are theirs. */
export function payingTargetOf(target: TrafficTarget): TrafficTarget {
  return target.index?.kind === 'local' ? { ...target, index: undefined } : target
}
