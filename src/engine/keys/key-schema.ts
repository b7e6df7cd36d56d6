import type { Item, Key, KeyAttributeType } from '../../dynamodb/attribute-value.js'
import { setMember } from '../values/attribute-maps.js'
import { attributeOf } from '../values/compare-values.js'
import { type KeyEncoder, keyEncoder } from './key-encoder.js'

export interface KeyAttribute {
  readonly name: string
  readonly type: KeyAttributeType
}

/** The key schema of a table or an index. Only an index can have several attributes in its partition or sort key. */
export interface KeySchema {
  readonly partition: readonly KeyAttribute[]
  readonly sort: readonly KeyAttribute[]
}

/** Returns the key attributes that an item has. */
export function pickKey({ partition, sort }: KeySchema, item: Item): Key {
  const key: Key = {}
  for (const { name } of [...partition, ...sort]) {
    const value = attributeOf(item, name)
    if (value !== undefined) setMember(key, name, value)
  }
  return key
}

/** Encodes the key of an item in a table. The item must have all key attributes. */
export function encodeKey(schema: KeySchema, item: Item): string {
  return encodeKeyParts(schema, item).toText()
}

/**
 * Encodes the key of an item in an index. If the index key is not unique, the hash of the table key follows, which is
 * the service's order of equal keys, and then the attributes of the table key that the index key lacks.
 */
export function encodeIndexKey(index: KeySchema, table: KeySchema, item: Item): string {
  const key = encodeKeyParts(index, item)
  if (hasAllAttributes(index, table.partition) && hasAllAttributes(index, table.sort)) return key.toText()
  key.appendHash([...table.partition, ...table.sort].map(part => item[part.name]!))
  for (const part of table.partition) if (!hasAttribute(index, part)) key.appendPart(item[part.name]!)
  for (const part of table.sort) if (!hasAttribute(index, part)) key.appendPart(item[part.name]!)
  return key.toText()
}

function hasAllAttributes(index: KeySchema, parts: readonly KeyAttribute[]): boolean {
  for (const part of parts) if (!hasAttribute(index, part)) return false
  return true
}

function encodeKeyParts({ partition, sort }: KeySchema, item: Item): KeyEncoder {
  const key = keyEncoder.beginPartition(partition.map(part => item[part.name]!))
  for (const part of sort) key.appendPart(item[part.name]!)
  return key
}

function hasAttribute({ partition, sort }: KeySchema, { name }: KeyAttribute): boolean {
  return partition.some(part => part.name === name) || sort.some(part => part.name === name)
}

/** Returns whether an item has every key attribute with the declared type, so that the index contains it. */
export function hasValidKey(schema: KeySchema, item: Item): boolean {
  return hasAllParts(schema.partition, item) && hasAllParts(schema.sort, item)
}

function hasAllParts(parts: readonly KeyAttribute[], item: Item): boolean {
  // A direct lookup is safe: inherited members of objects have no property named like a type.
  for (const part of parts) if (item[part.name]?.[part.type] === undefined) return false
  return true
}
