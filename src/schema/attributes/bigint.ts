import { formatDecimal, parseDecimal } from '../../dynamodb/number.js'
import { type Attribute, attribute } from '../attribute.js'
import { wrongStored, wrongType } from '../refusal.js'
import { canonical, storedNumber } from './number.js'

/** A whole number of up to 38 significant digits. */
export function bigint(): Attribute<bigint> {
  return attribute({
    kind: 'bigint',
    encode(value, path) {
      if (typeof value !== 'bigint') throw wrongType(path, 'a bigint', value)
      return { N: canonical(String(value), path, value) }
    },
    decode(value, path = 'value') {
      const text = formatDecimal(parseDecimal(storedNumber(value, path))!)
      if (text.includes('.')) throw wrongStored(path, 'an integer', value)
      return BigInt(text)
    },
  })
}
