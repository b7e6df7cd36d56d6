import type { AttributeValue, Item } from '../../dynamodb/attribute-value.js'
import { setMember } from './attribute-maps.js'

/** Returns the item with copies of its byte arrays. Parts without byte arrays are shared. */
export function copyBinaries(item: Item): Item {
  const copy: Item = {}
  for (const name in item) setMember(copy, name, copyValue(item[name]!))
  return copy
}

function copyValue(value: AttributeValue): AttributeValue {
  if (value.B !== undefined) return { B: new Uint8Array(value.B) }
  if (value.BS !== undefined) return { BS: value.BS.map(member => new Uint8Array(member)) }
  if (value.M !== undefined) return { M: copyBinaries(value.M) }
  if (value.L !== undefined) return { L: value.L.map(copyValue) }
  return value
}

/**
 * Returns bytes as a text with one character each. V8 stores it with one byte per character and compares it as bytes.
 */
export function toByteText(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
}
