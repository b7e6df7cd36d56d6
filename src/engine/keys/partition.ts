import type { AttributeValue, Key } from '../../dynamodb/attribute-value.js'
import { setMember } from '../values/maps.js'
import { HASH_BYTES } from './encoder.js'
import { numberIn } from './key-bytes.js'
import type { KeyAttribute, KeySchema } from './schema.js'

const END = '\x00\x00'

/** The beginning of a key that names its partition; undefined where it does not name it wholly. */
export function partitionOf({ partition }: KeySchema, key: string): string | undefined {
  let end = HASH_BYTES
  for (const _ of partition) {
    const found = key.indexOf(END, end)
    if (found < 0) return undefined
    end = found + END.length
  }
  return key.slice(0, end)
}

/** The attributes of a partition that `partitionOf` told. */
export function partitionKey({ partition }: KeySchema, text: string): Key {
  const key: Key = {}
  let start = HASH_BYTES
  for (const attribute of partition) {
    const end = text.indexOf(END, start)
    setMember(key, attribute.name, valueIn(attribute, text.slice(start, end).replaceAll('\x00\xff', '\x00')))
    start = end + END.length
  }
  return key
}

function valueIn({ type }: KeyAttribute, bytes: string): AttributeValue {
  if (type === 'N') return { N: numberIn(bytes) }
  const buffer = Buffer.from(bytes, 'latin1')
  return type === 'S' ? { S: buffer.toString('utf8') } : { B: new Uint8Array(buffer) }
}
