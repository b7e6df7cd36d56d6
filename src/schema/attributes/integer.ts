import { type Attribute, createTypedAttribute } from '../attribute.js'
import { checkOptions, invalidValueError, isSafeInteger } from '../checks/assertions.js'
import type { Bounds } from '../declarations.js'
import { GraphError } from '../error.js'
import { decodeNumber, encodeNumber } from './number.js'

/** A whole number that JavaScript holds exactly. A range makes its keys shorter, and is checked. */
export function integer(range?: Bounds): Attribute<number> {
  checkOptions('integer', range ?? {}, 'min, max')
  const { min = -Number.MAX_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER } = range ?? {}
  const description = `an integer from ${min} to ${max}`
  if (!isSafeInteger(min) || !isSafeInteger(max) || min > max)
    throw new GraphError('attribute.range', `there is not ${description}: give safe integers, min <= max`)
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
