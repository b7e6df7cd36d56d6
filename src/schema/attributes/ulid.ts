import { type Attribute, createTypedAttribute } from '../attribute.js'
import type { Environment } from '../declarations.js'

const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/
const TIME_DIGITS = 10
const RANDOM_DIGITS = 16

/**
 * Declares an immutable identifier that sorts by the time of its creation. A create or put generates it if the row does
 * not give it.
 *
 * @example
 * ```ts
 * import { node, string, ulid } from 'edgewise'
 *
 * const message = node('message', { id: ulid(), text: string() }, { id: 'id' })
 * ```
 */
export function ulid(): Attribute<string, 'default' | 'immutable'> {
  return createTypedAttribute(
    'ulid',
    'S',
    'a ULID (26 digits and capitals)',
    value => (typeof value === 'string' && ULID.test(value) ? { S: value } : undefined),
    undefined,
    { immutable: true, fallback: createUlid },
    'value.ulid',
  )
}

function createUlid({ now, random }: Environment): string {
  let text = ''
  for (let rest = Math.floor(now()); text.length < TIME_DIGITS; rest = Math.floor(rest / 32))
    text = DIGITS[rest % 32] + text
  // Each byte contributes five random bits, which makes 80 in total.
  for (const byte of random(RANDOM_DIGITS)) text += DIGITS[byte % 32]
  return text
}
