import type { Item } from '../../dynamodb/attribute-value.js'
import { PARTITION_KEY_BYTES, SORT_KEY_BYTES } from '../../dynamodb/limits.js'
import { valueBytes } from '../../dynamodb/size.js'
import { emptyKind } from './empty.js'
import type { KeyAttribute, KeySchema } from './schema.js'

/** Whether the key that an item has is none that a write would be refused for: neither empty nor too long. */
export function fitsKey({ partition, sort }: KeySchema, item: Item): boolean {
  return (
    partition.every(part => fits(part, item, PARTITION_KEY_BYTES)) &&
    sort.every(part => fits(part, item, SORT_KEY_BYTES))
  )
}

function fits({ name }: KeyAttribute, item: Item, mostBytes: number): boolean {
  const value = item[name]!
  return !emptyKind(value) && valueBytes(value) <= mostBytes
}
