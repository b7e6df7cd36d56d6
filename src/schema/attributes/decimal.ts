import { parseDecimal } from '../../dynamodb/number.js'
import { type Attribute, type AttributeFlag, createTypedAttribute } from '../attribute.js'
import type { Environment } from '../declarations.js'
import type { StandardSchema } from '../standard-schema.js'
import { encodeExactNumber, toPlainNumber } from './number.js'

/** A text that is stored as a number, and can be added to. */
export interface Decimal<F extends AttributeFlag = never> extends Attribute<string, F> {
  /** in types only */
  readonly '~decimal': true
  optional(): Decimal<F | 'optional'>
  default(value: string | ((environment: Environment) => string)): Decimal<F | 'default'>
  immutable(): Decimal<F | 'immutable'>
  check(schema: StandardSchema<unknown, string>): Decimal<F>
  stored(name: string): Decimal<F>
}

/** An exact decimal of up to 38 digits, as a text. It reads back without superfluous zeros: '1.50' as '1.5'. */
export function decimal(): Decimal {
  return createTypedAttribute(
    'decimal',
    'N',
    'a decimal number as a string',
    (value, path) =>
      typeof value === 'string' && parseDecimal(value) ? encodeExactNumber(value, path, value) : undefined,
    toPlainNumber,
  ) as Attribute<string> as Decimal
}
