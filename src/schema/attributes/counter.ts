import { createTypedAttribute } from '../attribute.js'
import type { DeclaredAttribute } from '../declarations.js'
import type { StandardSchema } from '../standard-schema.js'
import { decodeNumber, encodeNumber } from './number.js'

/** A number that an edge keeps by its `count` or `sum`. It is read, never written. */
export interface Counter extends StandardSchema<number> {
  readonly declared: DeclaredAttribute
  readonly '~flag': 'derived'
  readonly '~counter': true
}

/** The sum of fractions may have more digits than a number has: it is kept exactly, and read as the nearest. */
function decodeSum(text: string, path: string): number {
  const sum = Number(text)
  return text.includes('.') && Number.isSafeInteger(Math.trunc(sum)) ? sum : decodeNumber(text, path)
}

/** A number that edges keep: how many there are, or the sum of one of their attributes. */
export function counter(): Counter {
  const attribute: unknown = createTypedAttribute('counter', 'N', 'a number', encodeNumber, decodeSum, {
    derived: true,
    valueIfAbsent: () => 0,
  })
  return attribute as Counter
}
