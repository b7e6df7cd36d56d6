import { type Attribute, createTypedAttribute } from '../attribute.js'
import { encodeExactNumber, toPlainNumber } from './number.js'

/** A whole number of up to 38 significant digits. */
export function bigint(): Attribute<bigint> {
  return createTypedAttribute(
    'bigint',
    'N',
    'a bigint',
    (value, path) => (typeof value === 'bigint' ? encodeExactNumber(String(value), path, value) : undefined),
    text => {
      const plain = toPlainNumber(text)!
      return plain.includes('.') ? undefined : BigInt(plain)
    },
  )
}
