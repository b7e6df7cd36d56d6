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

/** A number that edges keep: how many there are, or the sum of one of their attributes. */
export function counter(): Counter {
  const made: unknown = kept('counter', 'N', 'a number', storedNumber, readNumber, { derived: true, absent: () => 0 })
  return made as Counter
}
