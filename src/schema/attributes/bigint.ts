import { type Attribute, createTypedAttribute } from '../attribute.js'
import { encodeExactNumber, toPlainNumber } from './number.js'

/**
 * Declares an integer of up to 38 significant digits, read and written as a `bigint`.
 *
 * @example
 * ```ts
 * import { bigint, node, string } from 'edgewise'
 *
 * const account = node('account', { iban: string(), cents: bigint() }, { id: 'iban' })
 * ```
 */
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
