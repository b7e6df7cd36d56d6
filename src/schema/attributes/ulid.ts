import { type Attribute, attribute } from '../attribute.js'
import type { Surroundings } from '../declared.js'
import { GraphError } from '../error.js'
import { shown } from '../refusal.js'
import { storedText } from './string.js'

const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const ULID = /^[0-7][0-9A-HJKMNP-TV-Z]{25}$/
const TIME_DIGITS = 10
const RANDOM_DIGITS = 16

/** An identifier that sorts by the time of its making. Made where none is given; it never changes. */
export function ulid(): Attribute<string, 'default' | 'immutable'> {
  return attribute({
    kind: 'ulid',
    immutable: true,
    fallback: makeUlid,
    encode(value, path) {
      if (typeof value === 'string' && ULID.test(value)) return { S: value }
      throw new GraphError(
        'value.ulid',
        `${path}: give a ULID (26 digits and capitals, without I, L, O and U) instead of ${shown(value)}`,
        {
          path,
          value,
        },
      )
    },
    decode: storedText,
  })
}

function makeUlid(surroundings: Surroundings): string {
  let text = ''
  for (let rest = Math.floor(surroundings.now()), digit = 0; digit < TIME_DIGITS; digit++, rest = Math.floor(rest / 32))
    text = DIGITS[rest % 32] + text
  // Five bits of each byte: 80 in all, evenly spread.
  for (const byte of surroundings.random(RANDOM_DIGITS)) text += DIGITS[byte % 32]
  return text
}
