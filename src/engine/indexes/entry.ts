import type { Item } from '../../dynamodb/attribute-value.js'
import type { KeySchema } from '../keys/schema.js'
import type { Index } from '../tables/table.js'
import { attribute, equalMaps, equalValues } from '../values/compare.js'
import { setMember } from '../values/maps.js'
import { type Stored, storedFrom } from '../values/stored.js'

/** What an index keeps of an item. With all attributes projected it is the item itself, shared. */
export function entryOf(index: Index, stored: Stored): Stored {
  if (index.projected === undefined) return stored
  const entry: Item = {}
  for (const name in stored.item) {
    if (index.projected.has(name)) setMember(entry, name, stored.item[name]!)
  }
  return storedFrom(entry)
}

/** Whether the index keeps the same of both items, sets without regard to order. */
export function sameEntry(index: Index, a: Stored, b: Stored): boolean {
  if (a === b) return true
  if (index.projected === undefined) return a.sizeBytes === b.sizeBytes && equalMaps(a.item, b.item)
  for (const name of index.projected) if (!sameAttribute(a.item, b.item, name)) return false
  return true
}

/** Of items that have the key. */
export function sameKey(schema: KeySchema, a: Item, b: Item): boolean {
  for (const { name } of schema.partition) if (!equalValues(a[name]!, b[name]!)) return false
  for (const { name } of schema.sort) if (!equalValues(a[name]!, b[name]!)) return false
  return true
}

function sameAttribute(a: Item, b: Item, name: string): boolean {
  const left = attribute(a, name)
  const right = attribute(b, name)
  if (left === undefined || right === undefined) return left === right
  return equalValues(left, right)
}
