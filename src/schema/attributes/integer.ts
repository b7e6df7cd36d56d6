import { type Attribute, kept } from '../attribute.js'
import type { Bounds } from '../declared.js'
import { GraphError } from '../error.js'
import { checkOptions, isWhole, wrongValue } from '../refusal.js'
import { readNumber, storedNumber } from './number.js'

/** A whole number that JavaScript holds exactly. A range makes its keys shorter, and is checked. */
export function integer(range?: Bounds): Attribute<number> {
  checkOptions('integer', range ?? {}, 'min, max')
  const { min = -Number.MAX_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER } = range ?? {}
  const words = `an integer from ${min} to ${max}`
  if (!isWhole(min) || !isWhole(max) || min > max)
    throw new GraphError('attribute.range', `there is not ${words}: give safe integers, min <= max`)
  return kept(
    'integer',
    'N',
    'a safe integer (or declare bigint())',
    (value, path) => {
      if (!isWhole(value)) return undefined
      if (value >= min && value <= max) return storedNumber(value, path)
      throw wrongValue(path, words, value, 'value.range')
    },
    (text, path) => {
      const whole = readNumber(text, path)
      return isWhole(whole) ? whole : undefined
    },
    { range },
  )
}
