import type { AttributeValue, Item } from '../../dynamodb/attribute-value.js'
import { setMember } from './maps.js'
import { Stored } from './stored.js'

const HEADER_BYTES = 4

/** A stored item as bytes: its size, whether it holds binaries, and the item as the JSON of DynamoDB's wire. */
export function encodeStored({ item, sizeBytes, hasBinary }: Stored): Buffer {
  const text = hasBinary ? JSON.stringify(item, binaryAsText) : JSON.stringify(item)
  const bytes = Buffer.allocUnsafe(HEADER_BYTES + Buffer.byteLength(text))
  bytes.writeUInt32BE(sizeBytes * 2 + (hasBinary ? 1 : 0))
  bytes.write(text, HEADER_BYTES)
  return bytes
}

export function decodeStored(bytes: Buffer): Stored {
  const header = bytes.readUInt32BE()
  const hasBinary = header % 2 === 1
  const item = JSON.parse(bytes.toString('utf8', HEADER_BYTES, bytes.length)) as Item
  return new Stored(hasBinary ? withBinaries(item) : item, Math.floor(header / 2), hasBinary)
}

function binaryAsText(_: string, value: unknown): unknown {
  return value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value
}

function withBinaries(map: Record<string, AttributeValue>): Record<string, AttributeValue> {
  const copy: Record<string, AttributeValue> = {}
  for (const name in map) setMember(copy, name, withBinary(map[name]!))
  return copy
}

function withBinary(value: AttributeValue): AttributeValue {
  if (value.B !== undefined) return { B: binary(value.B) }
  if (value.BS !== undefined) return { BS: value.BS.map(binary) }
  if (value.M !== undefined) return { M: withBinaries(value.M) }
  if (value.L !== undefined) return { L: value.L.map(withBinary) }
  return value
}

function binary(text: unknown): Uint8Array {
  return new Uint8Array(Buffer.from(text as string, 'base64'))
}
