import type { Item } from '../../dynamodb/attribute-value.js'
import type { KeySchema } from '../keys/key-schema.js'
import type { TableIndex } from '../tables/table.js'
import { setMember } from '../values/attribute-maps.js'
import { attributeOf, isEqualMap, isEqualValue } from '../values/compare-values.js'
import { type StoredItem, toStoredItem } from '../values/stored-item.js'

/**
 * Returns the projected attributes of an item. If the index projects all attributes, returns the stored item itself.
 */
export function toIndexEntry(index: TableIndex, stored: StoredItem): StoredItem {
  if (index.projected === undefined) return stored
  const entry: Item = {}
  for (const name in stored.item) {
    if (index.projected.has(name)) setMember(entry, name, stored.item[name]!)
  }
  return toStoredItem(entry)
}

/** Returns whether the index stores the same entry for both items. The order of set members is ignored. */
export function isSameIndexEntry(index: TableIndex, a: StoredItem, b: StoredItem): boolean {
  if (a === b) return true
  if (index.projected === undefined) return a.sizeBytes === b.sizeBytes && isEqualMap(a.item, b.item)
  for (const name of index.projected) if (!isSameAttribute(a.item, b.item, name)) return false
  return true
}

/** Compares the index keys of two items that both have the key. */
export function isSameIndexKey(schema: KeySchema, a: Item, b: Item): boolean {
  for (const { name } of schema.partition) if (!isEqualValue(a[name]!, b[name]!)) return false
  for (const { name } of schema.sort) if (!isEqualValue(a[name]!, b[name]!)) return false
  return true
}

function isSameAttribute(a: Item, b: Item, name: string): boolean {
  const left = attributeOf(a, name)
  const right = attributeOf(b, name)
  if (left === undefined || right === undefined) return left === right
  return isEqualValue(left, right)
}
