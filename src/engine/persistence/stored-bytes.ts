import { crc32 } from 'node:zlib'
import type { AttributeValue, Item } from '../../dynamodb/attribute-value.js'
import { setMember } from '../values/attribute-maps.js'
import { StoredItem } from '../values/stored-item.js'
import { type AttributeShape, attributeShapeOf, parseAttributeShape } from './attribute-shapes.js'

/**
 * Encodes stored items as bytes:
 *
 *   | bytes | content |
 *   |-|-|
 *   | 4 | the item size, whether it holds binaries, which of two forms follows, and whether it ends in a checksum |
 *   | 2 + n | the shape: names and types of the attributes |
 *   | 1 or 5 each | the length of each attribute's text in UTF-16 units |
 *   | n | the concatenated texts: strings and numbers as they are, other values as DynamoDB JSON |
 *   | 4 | the CRC-32 of all bytes before; values of format 1 have none |
 *
 * Decoding reads a single text and slices it, or one text per attribute if the text is long and has one byte per
 * character. Any other long text, and text that is not well-formed Unicode, uses the other form: the whole item as
 * JSON.
 */
const HEADER_BYTES = 4
const SHAPED_FLAG = 2 ** 31
const CHECKSUM_FLAG = 2 ** 30
const CHECKSUM_BYTES = 4
const SHAPE_LENGTH_BYTES = 2
/** From this length on, the length takes four more bytes. */
const LONG_TEXT_MARK = 255
const LONG_BYTES = 5
/** A slice of a text keeps the whole text in memory, so only short texts are sliced. */
const CUT_TEXT_LENGTH_MAX = 512

let scratch = Buffer.allocUnsafe(64 * 1024)
/** The last encoded item. An item is often put into its table and then, unchanged, into indexes. */
let lastEncoded: { readonly stored: StoredItem; readonly bytes: Buffer } | undefined

/** Encodes an item. The bytes are valid until the next call. */
export function encodeStored(stored: StoredItem): Buffer {
  if (lastEncoded?.stored === stored) return lastEncoded.bytes
  const shape = attributeShapeOf(stored.item)
  const bytes = (shape && encodeShaped(stored, shape)) ?? encodeJson(stored)
  lastEncoded = { stored, bytes }
  return bytes
}

/** Decodes an item. Throws if the checksum does not match. */
export function decodeStored(checkedBytes: Buffer): StoredItem {
  const header = checkedBytes.readUInt32BE()
  const bytes = header & CHECKSUM_FLAG ? verifyChecksum(checkedBytes) : checkedBytes
  const sizeBytes = (header >>> 1) & 0x1fff_ffff
  const hasBinary = (header & 1) === 1
  if (header >= SHAPED_FLAG) return new StoredItem(decodeShaped(bytes, hasBinary), sizeBytes, hasBinary)
  const item = JSON.parse(bytes.toString('utf8', HEADER_BYTES, bytes.length)) as Item
  return new StoredItem(hasBinary ? withBinaries(item) : item, sizeBytes, hasBinary)
}

/** Encodes an item with its shape, or returns undefined if the text does not allow this form. */
function encodeShaped({ item, sizeBytes, hasBinary }: StoredItem, shape: AttributeShape): Buffer | undefined {
  const lengthsAt = HEADER_BYTES + SHAPE_LENGTH_BYTES + shape.bytes.length
  reserveScratch(lengthsAt + shape.names.length * LONG_BYTES)
  scratch.writeUInt32BE(SHAPED_FLAG + toHeader(sizeBytes, hasBinary))
  scratch.writeUInt16BE(shape.bytes.length, HEADER_BYTES)
  scratch.set(shape.bytes, HEADER_BYTES + SHAPE_LENGTH_BYTES)
  let at = lengthsAt
  let text = ''
  for (let i = 0; i < shape.names.length; i++) {
    const part = attributeTextOf(item[shape.names[i]!]!, hasBinary)
    text += part
    if (part.length < LONG_TEXT_MARK) scratch[at++] = part.length
    else {
      scratch[at++] = LONG_TEXT_MARK
      at = scratch.writeUInt32BE(part.length, at)
    }
  }
  const textBytes = Buffer.byteLength(text)
  const isPlain = textBytes === text.length
  if (!isPlain && (text.length > CUT_TEXT_LENGTH_MAX || !text.isWellFormed())) return undefined
  reserveScratch(at + textBytes)
  scratch.write(text, at)
  return withChecksum(at + textBytes)
}

function decodeShaped(bytes: Buffer, hasBinary: boolean): Item {
  const shapeAt = HEADER_BYTES + SHAPE_LENGTH_BYTES
  const lengthsAt = shapeAt + bytes.readUInt16BE(HEADER_BYTES)
  const { names, types } = parseAttributeShape(bytes.toString('latin1', shapeAt, lengthsAt))
  let textAt = lengthsAt
  let length = 0
  for (let i = 0; i < names.length; i++) {
    const short = bytes[textAt]!
    length += short < LONG_TEXT_MARK ? short : bytes.readUInt32BE(textAt + 1)
    textAt += short < LONG_TEXT_MARK ? 1 : LONG_BYTES
  }
  const isPlain = bytes.length - textAt === length
  const cuts = length <= CUT_TEXT_LENGTH_MAX
  const text = cuts ? bytes.toString(isPlain ? 'latin1' : 'utf8', textAt, bytes.length) : ''
  const item: Item = {}
  let at = 0
  for (let i = 0, lengthAt = lengthsAt; i < names.length; i++) {
    const short = bytes[lengthAt]!
    const end = at + (short < LONG_TEXT_MARK ? short : bytes.readUInt32BE(lengthAt + 1))
    lengthAt += short < LONG_TEXT_MARK ? 1 : LONG_BYTES
    const part = cuts ? text.slice(at, end) : bytes.toString('latin1', textAt + at, textAt + end)
    at = end
    const type = types[i]
    const value = type === 'S' ? { S: part } : type === 'N' ? { N: part } : parseAttributeText(part, hasBinary)
    const name = names[i]!
    if (name === '__proto__') setMember(item, name, value)
    else item[name] = value
  }
  return item
}

function attributeTextOf(value: AttributeValue, hasBinary: boolean): string {
  return value.S ?? value.N ?? (hasBinary ? JSON.stringify(value, binaryAsText) : JSON.stringify(value))
}

function parseAttributeText(text: string, hasBinary: boolean): AttributeValue {
  const value = JSON.parse(text) as AttributeValue
  return hasBinary ? withBinary(value) : value
}

function encodeJson({ item, sizeBytes, hasBinary }: StoredItem): Buffer {
  const text = hasBinary ? JSON.stringify(item, binaryAsText) : JSON.stringify(item)
  const textBytes = Buffer.byteLength(text)
  reserveScratch(HEADER_BYTES + textBytes)
  scratch.writeUInt32BE(toHeader(sizeBytes, hasBinary))
  scratch.write(text, HEADER_BYTES)
  return withChecksum(HEADER_BYTES + textBytes)
}

/** Appends the checksum to the first `end` bytes of the buffer. */
function withChecksum(end: number): Buffer {
  reserveScratch(end + CHECKSUM_BYTES)
  scratch.writeUInt32BE(crc32(scratch.subarray(0, end)), end)
  return scratch.subarray(0, end + CHECKSUM_BYTES)
}

/** Checks the checksum and returns the bytes without it. */
function verifyChecksum(bytes: Buffer): Buffer {
  const end = bytes.length - CHECKSUM_BYTES
  const body = bytes.subarray(0, end)
  if (crc32(body) !== bytes.readUInt32BE(end)) throw new Error('the checksum of a value does not match')
  return body
}

function toHeader(sizeBytes: number, hasBinary: boolean): number {
  return CHECKSUM_FLAG + sizeBytes * 2 + (hasBinary ? 1 : 0)
}

/** Grows the buffer to at least this size and keeps its content. */
function reserveScratch(sizeBytes: number): void {
  if (sizeBytes <= scratch.length) return
  const larger = Buffer.allocUnsafe(2 * sizeBytes)
  scratch.copy(larger)
  scratch = larger
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
  if (value.B !== undefined) return { B: decodeBinary(value.B) }
  if (value.BS !== undefined) return { BS: value.BS.map(decodeBinary) }
  if (value.M !== undefined) return { M: withBinaries(value.M) }
  if (value.L !== undefined) return { L: value.L.map(withBinary) }
  return value
}

function decodeBinary(text: unknown): Uint8Array {
  return new Uint8Array(Buffer.from(text as string, 'base64'))
}
