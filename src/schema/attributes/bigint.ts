import { type Attribute, kept } from '../attribute.js'
import { exactly, plainNumber } from './number.js'

/** A whole number of up to 38 significant digits. */
export function bigint(): Attribute<bigint> {
  return kept(
    'bigint',
    'N',
    'a bigint',
    (value, path) => (typeof value === 'bigint' ? exactly(String(value), path, value) : undefined),
    text => {
      const plain = plainNumber(text)!
      return plain.includes('.') ? undefined : BigInt(plain)
    },
  )
}
