import { kept } from '../attribute.js'
import type { DeclaredAttribute } from '../declared.js'
import type { StandardSchema } from '../standard.js'
import { readNumber, storedNumber } from './number.js'

/** A number that an edge keeps by its `count` or `sum`. It is read, never written. */
export interface Counter extends StandardSchema<number> {
  readonly declared: DeclaredAttribute
  readonly '~flag': 'derived'
  readonly '~counter': true
}

/** The sum of fractions may have more digits than a number has: it is kept exactly, and read as the nearest. */
function readSum(text: string, path: string): number {
  const sum = Number(text)
  return text.includes('.') && Number.isSafeInteger(Math.trunc(sum)) ? sum : readNumber(text, path)
}

/** A number that edges keep: how many there are, or the sum of one of their attributes. */
export function counter(): Counter {
  const made: unknown = kept('counter', 'N', 'a number', storedNumber, readSum, { derived: true, absent: () => 0 })
  return made as Counter
}
