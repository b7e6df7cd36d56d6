import { createTypedAttribute } from '../attribute.js'
import type { DeclaredAttribute } from '../declarations.js'
import type { StandardSchema } from '../standard-schema.js'
import { decodeNumber, encodeNumber } from './number.js'

/** A number that edges maintain by `count` or `sum`. It is read and never written. */
export interface Counter extends StandardSchema<number> {
  readonly declared: DeclaredAttribute
  readonly '~flag': 'derived'
  readonly '~counter': true
}

/**
 * A stored sum of fractions is exact and may have more digits than a JavaScript number, so it is rounded to the nearest
 * one.
 */
function decodeSum(text: string, path: string): number {
  const sum = Number(text)
  return text.includes('.') && Number.isSafeInteger(Math.trunc(sum)) ? sum : decodeNumber(text, path)
}

/**
 * Declares a number that edges maintain: the number of a node's edges, or the sum of one of their attributes.
 *
 * @returns an attribute that is 0 at first, and that writes never give
 *
 * @example
 * ```ts
 * import { counter, edge, node, string } from 'edgewise'
 *
 * const user = node('user', { name: string(), followers: counter() }, { id: 'name' })
 * const follows = edge('follows', { follower: user, followed: user }, {}, { count: { followed: 'followers' } })
 * ```
 */
export function counter(): Counter {
  const attribute: unknown = createTypedAttribute('counter', 'N', 'a number', encodeNumber, decodeSum, {
    derived: true,
    valueIfAbsent: () => 0,
  })
  return attribute as Counter
}
