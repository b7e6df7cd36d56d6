import type { AttributeValue, Item } from '../../dynamodb/attribute-value.js'
import { VECTOR_ELEMENT_BYTES } from '../../dynamodb/capacity.js'
import { PARTITION_KEY_BYTES } from '../../dynamodb/limits.js'
import { countItemBytes, countUtf8Bytes, countValueBytes } from '../../dynamodb/size.js'
import { emptyKindOf } from '../keys/empty-keys.js'
import { keyEncoder } from '../keys/key-encoder.js'
import { setMember } from '../values/attribute-maps.js'
import { attributeOf, compareBytes, isEqualMap, isEqualValue } from '../values/compare-values.js'
import { StoredItem } from '../values/stored-item.js'
import { toFloat } from './floats.js'
import type { TableVectorIndex } from './vector-index.js'

/**
 * Returns the index entry of an item, or undefined if the index does not contain the item: its vector with 32 bits per
 * number, and the projected attributes. An entry has the form of an item, so that any store of items can hold it.
 */
export function toVectorEntry(index: TableVectorIndex, { item }: StoredItem): StoredItem | undefined {
  const floats = toFloats(attributeOf(item, index.attribute), index.dimensions)
  if (!floats || !hasSearchKeys(index, item)) return undefined
  const rest: Item = {}
  for (const name in item)
    if (name !== index.attribute && (!index.projected || index.projected.has(name))) setMember(rest, name, item[name]!)
  const sizeBytes = countUtf8Bytes(index.attribute) + vectorBytesOf(index.dimensions) + countItemBytes(rest)
  const entry = { vector: { B: new Uint8Array(floats.buffer) }, item: { M: Object.freeze(rest) } }
  return new StoredItem(Object.freeze(entry), sizeBytes, true)
}

export const vectorBytesOf = (dimensions: number) => VECTOR_ELEMENT_BYTES * dimensions

/** Returns a vector with this number of dimensions; undefined if the value is not valid. */
function toFloats(value: AttributeValue | undefined, dimensions: number): Float32Array | undefined {
  const list = value?.L
  if (list?.length !== dimensions) return undefined
  const floats = new Float32Array(dimensions)
  for (let i = 0; i < dimensions; i++) {
    const text = list[i]!.N
    const float = text === undefined ? undefined : toFloat(text)
    if (float === undefined) return undefined
    floats[i] = float
  }
  return floats
}

/**
 * Returns whether the search attributes are valid. Items that are older than the index may have invalid ones and are
 * left out.
 */
function hasSearchKeys(index: TableVectorIndex, item: Item): boolean {
  if (entryPrefixOf(index, item) === undefined) return false
  return index.filters.every(({ name, type }) => {
    const value = attributeOf(item, name)
    return value === undefined || value[type] !== undefined
  })
}

/** Returns the key prefix of an item's entry; undefined if the index does not contain the item. */
function entryPrefixOf({ partition }: TableVectorIndex, item: Item): string | undefined {
  if (!partition) return ''
  const value = attributeOf(item, partition.name)
  if (value?.[partition.type] === undefined || emptyKindOf(value) || countValueBytes(value) > PARTITION_KEY_BYTES)
    return undefined
  return vectorPartitionPrefixOf(value)
}

export function vectorOf({ item }: StoredItem): Float32Array {
  const { buffer, byteOffset, byteLength } = item.vector!.B!
  return new Float32Array(buffer, byteOffset, byteLength / VECTOR_ELEMENT_BYTES)
}

/** Returns the projected attributes of an entry. */
export function projectedItemOf({ item }: StoredItem): Item {
  return item.item!.M!
}

export function isSameVectorEntry(a: StoredItem, b: StoredItem): boolean {
  return compareBytes(a.item.vector!.B!, b.item.vector!.B!) === 0 && isEqualMap(projectedItemOf(a), projectedItemOf(b))
}

/** Returns whether two entries are in the same partition of the index. */
export function isSameVectorPartition({ partition }: TableVectorIndex, a: StoredItem, b: StoredItem): boolean {
  return !partition || isEqualValue(projectedItemOf(a)[partition.name]!, projectedItemOf(b)[partition.name]!)
}

/** Returns the key prefix of all entries in a partition of the index. */
export function vectorPartitionPrefixOf(value: AttributeValue): string {
  return keyEncoder.beginPartition([value]).toText()
}

/** Returns the key of an item's entry: the partition of the index, then the key of the item. */
export function vectorEntryKeyOf(index: TableVectorIndex, item: Item, itemKey: string): string | undefined {
  const prefix = entryPrefixOf(index, item)
  return prefix === undefined ? undefined : prefix + itemKey
}
