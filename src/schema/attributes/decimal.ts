import { parseDecimal } from '../../dynamodb/number.js'
import { type Attribute, kept } from '../attribute.js'
import { exactly, plainNumber } from './number.js'

/** An exact decimal of up to 38 digits, as a text. It reads back without superfluous zeros: '1.50' as '1.5'. */
export function decimal(): Attribute<string> {
  return kept(
    'decimal',
    'N',
    'a decimal number as a string',
    (value, path) => (typeof value === 'string' && parseDecimal(value) ? exactly(value, path, value) : undefined),
    plainNumber,
  )
}
