import type { Item } from '../../dynamodb/attribute-value.js'
import { PARTITION_KEY_BYTES, SORT_KEY_BYTES } from '../../dynamodb/limits.js'
import { countValueBytes } from '../../dynamodb/size.js'
import { emptyKindOf } from './empty-keys.js'
import type { KeyAttribute, KeySchema } from './key-schema.js'

/** Returns whether the index key of an item is neither empty nor too long, so that a write would accept it. */
export function isValidIndexKey({ partition, sort }: KeySchema, item: Item): boolean {
  return (
    partition.every(part => isValidKeyPart(part, item, PARTITION_KEY_BYTES)) &&
    sort.every(part => isValidKeyPart(part, item, SORT_KEY_BYTES))
  )
}

function isValidKeyPart({ name }: KeyAttribute, item: Item, maxBytes: number): boolean {
  const value = item[name]!
  return !emptyKindOf(value) && countValueBytes(value) <= maxBytes
}
