import type { Item, Key, KeyAttributeType } from '../../dynamodb/attribute-value.js'
import { attribute } from '../values/compare.js'
import { setMember } from '../values/maps.js'
import { encoder, type KeyEncoder } from './encoder.js'

export interface KeyAttribute {
  readonly name: string
  readonly type: KeyAttributeType
}

/** The key of a table or an index. Only an index can have several attributes in a part. */
export interface KeySchema {
  readonly partition: readonly KeyAttribute[]
  readonly sort: readonly KeyAttribute[]
}

/** Of an item, what it has of the key. */
export function keyWithin({ partition, sort }: KeySchema, item: Item): Key {
  const key: Key = {}
  for (const { name } of [...partition, ...sort]) {
    const value = attribute(item, name)
    if (value !== undefined) setMember(key, name, value)
  }
  return key
}

/** The key under which an item lies in a table. It must have all key attributes. */
export function encodeKey(schema: KeySchema, item: Item): string {
  return writeKey(schema, item).text()
}

/**
 * The key under which an item lies in an index: the index's own key and, where that need not be unique, the hash of the
 * table's key, which is the service's order of equals, and of the table's key what is not in the index's.
 */
export function encodeIndexKey(index: KeySchema, table: KeySchema, item: Item): string {
  const key = writeKey(index, item)
  if (includes(index, table.partition) && includes(index, table.sort)) return key.text()
  key.hash([...table.partition, ...table.sort].map(part => item[part.name]!))
  for (const part of table.partition) if (!isIn(index, part)) key.part(item[part.name]!)
  for (const part of table.sort) if (!isIn(index, part)) key.part(item[part.name]!)
  return key.text()
}

function includes(index: KeySchema, parts: readonly KeyAttribute[]): boolean {
  for (const part of parts) if (!isIn(index, part)) return false
  return true
}

function writeKey({ partition, sort }: KeySchema, item: Item): KeyEncoder {
  const key = encoder.partition(partition.map(part => item[part.name]!))
  for (const part of sort) key.part(item[part.name]!)
  return key
}

function isIn({ partition, sort }: KeySchema, { name }: KeyAttribute): boolean {
  return partition.some(part => part.name === name) || sort.some(part => part.name === name)
}

/** Whether an item has every key attribute, of the declared type: then it is in the index. */
export function hasKey(schema: KeySchema, item: Item): boolean {
  return hasParts(schema.partition, item) && hasParts(schema.sort, item)
}

function hasParts(parts: readonly KeyAttribute[], item: Item): boolean {
  // What an object inherits has no member named like a type.
  for (const part of parts) if (item[part.name]?.[part.type] === undefined) return false
  return true
}
