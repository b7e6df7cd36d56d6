import type { Item } from '../../dynamodb/attribute-value.js'
import type { KeySchema } from '../keys/schema.js'
import type { Index } from '../tables/table.js'
import { attribute, equalMaps, equalValues } from '../values/compare.js'
import { type Stored, storedFrom } from '../values/stored.js'

/** What an index keeps of an item. With all attributes projected it is the item itself, shared. */
export function entryOf(index: Index, stored: Stored): Stored {
  if (index.projected === undefined) return stored
  const entry: Item = {}
  for (const name in stored.item) {
    if (!index.projected.has(name)) continue
    // An attribute may be named like something that objects inherit, where plain assignment would not make a member.
    if (name === '__proto__') Object.defineProperty(entry, name, { value: stored.item[name]!, enumerable: true })
    else entry[name] = stored.item[name]!
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

export function sameKey(schema: KeySchema, a: Item, b: Item): boolean {
  return (
    schema.partition.every(part => sameAttribute(a, b, part.name)) &&
    schema.sort.every(part => sameAttribute(a, b, part.name))
  )
}

function sameAttribute(a: Item, b: Item, name: string): boolean {
  const left = attribute(a, name)
  const right = attribute(b, name)
  if (left === undefined || right === undefined) return left === right
  return equalValues(left, right)
}
