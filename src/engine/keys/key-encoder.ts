import type { AttributeValue } from '../../dynamodb/attribute-value.js'
import { PARTITION_KEY_BYTES } from '../../dynamodb/limits.js'
import { md5 } from '../md5.js'
import { toKeyBytes } from './key-bytes.js'

/**
 * Keys are partitioned by a hash, as in DynamoDB. A scan returns partitions in the order of the hash, and a segment of
 * a parallel scan is a range of it. The hash is the service's own, as far as it can be observed from outside.
 */
const SALT = 'Outliers'
export const HASH_BYTES = 4
/** The number of zero bytes that end a part. */
export const PART_END_BYTES = 2

/** The key of a table and of an index with eight parts, with every byte doubled. No key can be longer. */
const LONGEST_KEY_BYTES = 2 * 10 * (PARTITION_KEY_BYTES + 2)
const scratch = Buffer.allocUnsafe(LONGEST_KEY_BYTES)

/**
 * Encodes keys. An encoded key is a text with one character per byte. Its order is that of DynamoDB: strings by UTF-8
 * bytes, numbers by value, binaries by bytes. Each part ends in two zeros, which sort before any continuation of the
 * part, so parts can be concatenated. A zero within a part is written as 0 255. The encoder writes to one buffer and
 * slices the result, because a concatenated text would retain all of its pieces.
 */
export class KeyEncoder {
  private length = 0

  /** Begins a key with the hash and the parts of its partition. */
  beginPartition(values: readonly AttributeValue[]): this {
    this.length = 0
    this.appendHash(values)
    for (const value of values) this.appendPart(value)
    return this
  }

  /** Begins a continuation of a key with one part. */
  beginPart(value: AttributeValue): this {
    this.length = 0
    return this.appendPart(value)
  }

  appendHash(values: readonly AttributeValue[]): this {
    const digest = hashKey(values)
    for (let i = 0; i < HASH_BYTES; i++) scratch[this.length++] = digest.charCodeAt(i)
    return this
  }

  appendPart(value: AttributeValue): this {
    if (value.S === undefined || !this.tryAppendAscii(value.S)) this.appendBytes(toKeyBytes(value))
    for (let i = 0; i < PART_END_BYTES; i++) scratch[this.length++] = 0
    return this
  }

  private appendBytes(bytes: string): void {
    for (let i = 0; i < bytes.length; i++) {
      const byte = bytes.charCodeAt(i)
      scratch[this.length++] = byte
      if (byte === 0) scratch[this.length++] = 255
    }
  }

  /** Most keys are ASCII, which needs no encoding. Leaves the key unchanged and returns false for other text. */
  private tryAppendAscii(text: string): boolean {
    let at = this.length
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i)
      if (code === 0 || code > 127) return false
      scratch[at++] = code
    }
    this.length = at
    return true
  }

  toText(): string {
    return scratch.toString('latin1', 0, this.length)
  }
}

function hashKey(values: readonly AttributeValue[]): string {
  let text = SALT
  for (const value of values) {
    if (value.S === undefined) return md5(Buffer.from(SALT + values.map(toKeyBytes).join(''), 'latin1'), 'binary')
    text += value.S
  }
  return md5(text, 'binary')
}

/** The shared encoder. Encoding is synchronous, so two keys are never encoded at the same time. */
export const keyEncoder = new KeyEncoder()

/** Returns the smallest key that is greater than all keys with this prefix, or undefined if there is no limit. */
export function upperBoundOf(prefix: string): string | undefined {
  let end = prefix.length
  while (end > 0 && prefix.charCodeAt(end - 1) === 255) end--
  if (end === 0) return undefined
  return prefix.slice(0, end - 1) + String.fromCharCode(prefix.charCodeAt(end - 1) + 1)
}
