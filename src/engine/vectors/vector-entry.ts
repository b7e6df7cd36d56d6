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
 * What an index keeps of an item, or undefined where the item does not belong to it: its vector in 32 bits a number,
 * and beside it the attributes that are projected. Shaped as an item, so that whatever keeps items keeps it too.
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

/** A vector of so many dimensions, or undefined where the value is none. */
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

/** Items that were there before the index may have what a write would be refused for, and stay out of it. */
function hasSearchKeys(index: TableVectorIndex, item: Item): boolean {
  if (entryPrefixOf(index, item) === undefined) return false
  return index.filters.every(({ name, type }) => {
    const value = attributeOf(item, name)
    return value === undefined || value[type] !== undefined
  })
}

/** The beginning of the key of an item's entry; undefined where the item is in no part of the index. */
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

/** The attributes of an entry. */
export function projectedItemOf({ item }: StoredItem): Item {
  return item.item!.M!
}

export function isSameVectorEntry(a: StoredItem, b: StoredItem): boolean {
  return compareBytes(a.item.vector!.B!, b.item.vector!.B!) === 0 && isEqualMap(projectedItemOf(a), projectedItemOf(b))
}

/** Whether two entries lie in the same part of the index. */
export function isSameVectorPartition({ partition }: TableVectorIndex, a: StoredItem, b: StoredItem): boolean {
  return !partition || isEqualValue(projectedItemOf(a)[partition.name]!, projectedItemOf(b)[partition.name]!)
}

/** The beginning of the keys of all entries that lie in a part of the index. */
export function vectorPartitionPrefixOf(value: AttributeValue): string {
  return keyEncoder.beginPartition([value]).toText()
}

/** Where the entry of an item lies: by the part of the index, then by the key of the item. */
export function vectorEntryKeyOf(index: TableVectorIndex, item: Item, itemKey: string): string | undefined {
  const prefix = entryPrefixOf(index, item)
  return prefix === undefined ? undefined : prefix + itemKey
}
