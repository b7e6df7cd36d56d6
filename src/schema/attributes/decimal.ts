import { formatDecimal, parseDecimal } from '../../dynamodb/number.js'
import { type Attribute, attribute } from '../attribute.js'
import { wrongType } from '../refusal.js'
import { canonical, storedNumber } from './number.js'

/** An exact decimal of up to 38 digits, as a text. It reads back without superfluous zeros: '1.50' as '1.5'. */
export function decimal(): Attribute<string> {
  return attribute({
    kind: 'decimal',
    encode(value, path) {
      if (typeof value !== 'string') throw wrongType(path, 'a decimal number as a string', value)
      return { N: canonical(value, path, value) }
    },
    decode: (value, path = 'value') => formatDecimal(parseDecimal(storedNumber(value, path))!),
  })
}
