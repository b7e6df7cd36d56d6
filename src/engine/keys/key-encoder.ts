import type { AttributeValue } from '../../dynamodb/attribute-value.js'
import { PARTITION_KEY_BYTES } from '../../dynamodb/limits.js'
import { md5 } from '../md5.js'
import { toKeyBytes } from './key-bytes.js'

/**
 * Partitions are spread by a hash of their key, as in DynamoDB: a scan meets them in the order of the hash, and a
 * segment of a parallel scan is a range of it. The hash is the service's own, as far as it can be seen from outside.
 */
const SALT = 'Outliers'
export const HASH_BYTES = 4
/** The zeros that a part ends in. */
export const PART_END_BYTES = 2

/** Every zero byte doubled, for a table's key and an index's of eight parts: longer than any key can be. */
const LONGEST_KEY_BYTES = 2 * 10 * (PARTITION_KEY_BYTES + 2)
const scratch = Buffer.allocUnsafe(LONGEST_KEY_BYTES)

/**
 * Puts keys together byte by byte. A key is a text of one character a byte whose order is DynamoDB's: strings by UTF-8
 * bytes, numbers by value, binaries by bytes. Each part ends in two zeros, which sort before everything that a part
 * can go on with (a zero within it is written as 0 255), so that parts can stand one after another.
 *
 * Written into one buffer and cut out at the end, since a text made by joining others would keep them all.
 */
export class KeyEncoder {
  private length = 0

  /** Begins a key: the hash of its partition, then the partition's parts. */
  beginPartition(values: readonly AttributeValue[]): this {
    this.length = 0
    this.appendHash(values)
    for (const value of values) this.appendPart(value)
    return this
  }

  /** Begins what goes on a key: one part. */
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

  /** Most keys are plain text, which is its own encoding. Leaves the key as it was where this one is not. */
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

/** The one encoder: encoding never waits, so no two keys are under way at once. */
export const keyEncoder = new KeyEncoder()

/** The least key that is greater than every key beginning with these bytes; undefined where there is none. */
export function upperBoundOf(prefix: string): string | undefined {
  let end = prefix.length
  while (end > 0 && prefix.charCodeAt(end - 1) === 255) end--
  if (end === 0) return undefined
  return prefix.slice(0, end - 1) + String.fromCharCode(prefix.charCodeAt(end - 1) + 1)
}
