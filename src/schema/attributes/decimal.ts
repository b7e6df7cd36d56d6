import { parseDecimal } from '../../dynamodb/number.js'
import { type Attribute, type AttributeFlag, createTypedAttribute } from '../attribute.js'
import type { Environment } from '../declarations.js'
import type { StandardSchema } from '../standard-schema.js'
import { encodeExactNumber, toPlainNumber } from './number.js'

/** A decimal number as a string. It is stored as a DynamoDB number, so updates can add to it. */
export interface Decimal<F extends AttributeFlag = never> extends Attribute<string, F> {
  /** Exists in types only. */
  readonly '~decimal': true
  optional(): Decimal<F | 'optional'>
  default(value: string | ((environment: Environment) => string)): Decimal<F | 'default'>
  immutable(): Decimal<F | 'immutable'>
  check(schema: StandardSchema<unknown, string>): Decimal<F>
  stored(name: string): Decimal<F>
}

/**
 * Declares an exact decimal of up to 38 digits, read and written as a string. Superfluous zeros are dropped: '1.50' is
 * read back as '1.5'.
 *
 * @example
 * ```ts
 * import { decimal, node, string } from 'edgewise'
 *
 * const product = node('product', { sku: string(), price: decimal() }, { id: 'sku' })
 * ```
 */
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
