import type { AttributeValue, Key } from '../../dynamodb/attribute-value.js'
import { setMember } from '../values/attribute-maps.js'
import { fromNumberKeyBytes } from './key-bytes.js'
import { HASH_BYTES } from './key-encoder.js'
import type { KeyAttribute, KeySchema } from './key-schema.js'

const END = '\x00\x00'

/** Returns the prefix of an encoded key that identifies its partition, or undefined if the key is too short. */
export function partitionPrefixOf({ partition }: KeySchema, key: string): string | undefined {
  let end = HASH_BYTES
  for (const _ of partition) {
    const found = key.indexOf(END, end)
    if (found < 0) return undefined
    end = found + END.length
  }
  return key.slice(0, end)
}

/** Decodes the attributes of a partition prefix from `partitionPrefixOf`. */
export function parsePartitionKey({ partition }: KeySchema, text: string): Key {
  const key: Key = {}
  let start = HASH_BYTES
  for (const attribute of partition) {
    const end = text.indexOf(END, start)
    setMember(key, attribute.name, parseKeyValue(attribute, text.slice(start, end).replaceAll('\x00\xff', '\x00')))
    start = end + END.length
  }
  return key
}

function parseKeyValue({ type }: KeyAttribute, bytes: string): AttributeValue {
  if (type === 'N') return { N: fromNumberKeyBytes(bytes) }
  const buffer = Buffer.from(bytes, 'latin1')
  return type === 'S' ? { S: buffer.toString('utf8') } : { B: new Uint8Array(buffer) }
}
