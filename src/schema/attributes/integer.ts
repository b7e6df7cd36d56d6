import { type Attribute, attribute } from '../attribute.js'
import type { Bounds } from '../declared.js'
import { GraphError } from '../error.js'
import { wrongStored, wrongType } from '../refusal.js'
import { decodeNumber, encodeNumber } from './number.js'

/** A whole number that JavaScript holds exactly. A range makes its keys shorter, and is checked. */
export function integer(range?: Bounds): Attribute<number> {
  checkRange(range)
  return attribute({
    kind: 'integer',
    range,
    encode(value, path) {
      if (!Number.isSafeInteger(value)) throw wrongType(path, 'a safe integer (or declare bigint())', value)
      const whole = value as number
      if (whole < (range?.min ?? whole) || whole > (range?.max ?? whole))
        throw new GraphError('value.range', `${path}: ${whole} is outside ${shownRange(range!)}`, { path, value })
      return encodeNumber(value, path)
    },
    decode(value, path = 'value') {
      const whole = decodeNumber(value, path)
      if (!Number.isSafeInteger(whole)) throw wrongStored(path, 'an integer', value)
      return whole
    },
  })
}

function checkRange(range: Bounds | undefined): void {
  const { min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER } = range ?? {}
  if (Number.isSafeInteger(min) && Number.isSafeInteger(max) && min <= max) return
  throw new GraphError(
    'attribute.range',
    `the range ${shownRange({ min, max })} holds no integer: give safe integers, min <= max`,
  )
}

function shownRange({ min, max }: Bounds): string {
  return `${min ?? '…'} to ${max ?? '…'}`
}
