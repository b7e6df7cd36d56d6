import { type Attribute, createTypedAttribute } from '../attribute.js'
import type { Environment } from '../declarations.js'

const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/
const TIME_DIGITS = 10
const RANDOM_DIGITS = 16

/** An identifier that sorts by the time of its making. Made where none is given; it never changes. */
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
  // Five bits of each byte: 80 in all, evenly spread.
  for (const byte of random(RANDOM_DIGITS)) text += DIGITS[byte % 32]
  return text
}
