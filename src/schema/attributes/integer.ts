import { type Attribute, createTypedAttribute } from '../attribute.js'
import { checkOptions, invalidValueError, isSafeInteger } from '../checks/assertions.js'
import type { Bounds } from '../declarations.js'
import { GraphError } from '../error.js'
import { decodeNumber, encodeNumber } from './number.js'

/**
 * Declares an integer that JavaScript represents exactly. Values outside the range are rejected, and a range with both
 * bounds makes keys shorter.
 *
 * @param range - the least and the greatest value, inclusive
 * @throws {attribute.range} if the range is empty or its bounds are not safe integers
 *
 * @example
 * ```ts
 * import { integer, node, string } from 'edgewise'
 *
 * const movie = node('movie', { name: string(), year: integer({ min: 1888, max: 2100 }) }, { id: 'name' })
 * ```
 */
export function integer(range?: Bounds): Attribute<number> {
  checkOptions('integer', range ?? {}, 'min, max')
  const { min = -Number.MAX_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER } = range ?? {}
  const description = `an integer from ${min} to ${max}`
  if (!isSafeInteger(min) || !isSafeInteger(max) || min > max)
    throw new GraphError(
      'attribute.range',
      `integer(): the range from ${min} to ${max} is invalid; give safe integers with min <= max.`,
    )
  return createTypedAttribute(
    'integer',
    'N',
    'a safe integer (or declare bigint())',
    (value, path) => {
      if (!isSafeInteger(value)) return undefined
      if (value >= min && value <= max) return encodeNumber(value, path)
      throw invalidValueError(path, description, value, 'value.range')
    },
    (text, path) => {
      const number = decodeNumber(text, path)
      return isSafeInteger(number) ? number : undefined
    },
    { range },
  )
}
