import { keyEncoder } from '../keys/key-encoder.js'
import { partitionPrefixOf } from '../keys/partition-key.js'
import type { Table, TableIndex } from '../tables/table.js'
import type { StoredItem } from '../values/stored-item.js'

/** The target of a request: a table or an index, and a partition of it unless the request covers several. */
export interface TrafficTarget {
  readonly table: Table
  readonly index: TableIndex | undefined
  readonly partition: string | undefined
}

/** Returns the target for an encoded key or its prefix. */
export function trafficTargetOf(table: Table, index: TableIndex | undefined, key: string): TrafficTarget {
  return { table, index, partition: partitionPrefixOf((index ?? table).keys, key) }
}

/** Returns the target for the index entry of an item. */
export function entryTargetOf(table: Table, index: TableIndex, { item }: StoredItem): TrafficTarget {
  const values = index.keys.partition.map(({ name }) => item[name]!)
  return { table, index, partition: keyEncoder.beginPartition(values).toText() }
}

/**
 * Returns the target whose capacity a request consumes. Local indexes share the capacity and the partitions of their
 * table.
 */
export function payingTargetOf(target: TrafficTarget): TrafficTarget {
  return target.index?.kind === 'local' ? { ...target, index: undefined } : target
}
