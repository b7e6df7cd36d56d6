import type { AttributeValue, Item } from '../../dynamodb/attribute-value.js'
import { VECTOR_ELEMENT_BYTES } from '../../dynamodb/capacity.js'
import { PARTITION_KEY_BYTES } from '../../dynamodb/limits.js'
import { itemBytes, utf8Bytes, valueBytes } from '../../dynamodb/size.js'
import { emptyKind } from '../keys/empty.js'
import { encoder } from '../keys/encoder.js'
import { attribute, compareBytes, equalMaps, equalValues } from '../values/compare.js'
import { setMember } from '../values/maps.js'
import { Stored } from '../values/stored.js'
import { floatOf } from './floats.js'
import type { VectorIndex } from './vector-index.js'

/**
 * What an index keeps of an item, or undefined where the item does not belong to it: its vector in 32 bits a number,
 * and beside it the attributes that are projected. Shaped as an item, so that whatever keeps items keeps it too.
 */
export function entryOf(index: VectorIndex, { item }: Stored): Stored | undefined {
  const floats = floatsIn(attribute(item, index.attribute), index.dimensions)
  if (!floats || !hasSearchKeys(index, item)) return undefined
  const rest: Item = {}
  for (const name in item)
    if (name !== index.attribute && (!index.projected || index.projected.has(name))) setMember(rest, name, item[name]!)
  const sizeBytes = utf8Bytes(index.attribute) + vectorBytes(index.dimensions) + itemBytes(rest)
  const entry = { vector: { B: new Uint8Array(floats.buffer) }, item: { M: Object.freeze(rest) } }
  return new Stored(Object.freeze(entry), sizeBytes, true)
}

export const vectorBytes = (dimensions: number) => VECTOR_ELEMENT_BYTES * dimensions

/** A vector of so many dimensions, or undefined where the value is none. */
function floatsIn(value: AttributeValue | undefined, dimensions: number): Float32Array | undefined {
  const list = value?.L
  if (list?.length !== dimensions) return undefined
  const floats = new Float32Array(dimensions)
  for (let i = 0; i < dimensions; i++) {
    const text = list[i]!.N
    const float = text === undefined ? undefined : floatOf(text)
    if (float === undefined) return undefined
    floats[i] = float
  }
  return floats
}

/** Items that were there before the index may have what a write would be refused for, and stay out of it. */
function hasSearchKeys(index: VectorIndex, item: Item): boolean {
  if (prefixOf(index, item) === undefined) return false
  return index.filters.every(({ name, type }) => {
    const value = attribute(item, name)
    return value === undefined || value[type] !== undefined
  })
}

/** The beginning of the key of an item's entry; undefined where the item is in no part of the index. */
function prefixOf({ partition }: VectorIndex, item: Item): string | undefined {
  if (!partition) return ''
  const value = attribute(item, partition.name)
  if (value?.[partition.type] === undefined || emptyKind(value) || valueBytes(value) > PARTITION_KEY_BYTES)
    return undefined
  return partitionPrefix(value)
}

export function vectorIn({ item }: Stored): Float32Array {
  const { buffer, byteOffset, byteLength } = item.vector!.B!
  return new Float32Array(buffer, byteOffset, byteLength / VECTOR_ELEMENT_BYTES)
}

/** The attributes of an entry. */
export function restIn({ item }: Stored): Item {
  return item.item!.M!
}

export function sameEntry(a: Stored, b: Stored): boolean {
  return compareBytes(a.item.vector!.B!, b.item.vector!.B!) === 0 && equalMaps(restIn(a), restIn(b))
}

/** Whether two entries lie in the same part of the index. */
export function samePartition({ partition }: VectorIndex, a: Stored, b: Stored): boolean {
  return !partition || equalValues(restIn(a)[partition.name]!, restIn(b)[partition.name]!)
}

/** The beginning of the keys of all entries that lie in a part of the index. */
export function partitionPrefix(value: AttributeValue): string {
  return encoder.partition([value]).text()
}

/** Where the entry of an item lies: by the part of the index, then by the key of the item. */
export function entryKey(index: VectorIndex, item: Item, itemKey: string): string | undefined {
  const prefix = prefixOf(index, item)
  return prefix === undefined ? undefined : prefix + itemKey
}
