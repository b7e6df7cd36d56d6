import type { AttributeValue } from '../../dynamodb/attribute-value.js'
import { type Attribute, attribute } from '../attribute.js'
import { binary } from '../attributes/binary.js'
import { declaredOf } from '../attributes/validated.js'
import type { RowBinding, ValuePlace } from '../declared.js'
import { GraphError } from '../error.js'
import { checkOptions, isObject, refuse } from '../refusal.js'
import { BOUND, type Cipher, cipherOf, LEAST_BYTES, UNBOUND } from './cipher.js'
import { mapped } from './mapped.js'
import { ordered } from './ordered.js'
import { Secret } from './secret.js'

export interface EncryptedOptions {
  /** Keys of 32 bytes, by names of your own. All of them decrypt. */
  readonly keys: Readonly<Record<string, Uint8Array>>
  /** The name of the key that encrypts. */
  readonly current: string
  /** What the value is: `user.taxNumber`. One that is moved to where another is expected is not read. */
  readonly context: string
  /**
   * Stores the same value as the same bytes in every row, so that filters can test whether it is something. Then values
   * are not bound to their rows: whoever writes to the table can swap those of two rows, and see which are equal.
   */
  readonly searchable?: boolean | undefined
  /** Former names of the type and the attribute, as `user.iban`: values that were bound under one of them are read. */
  readonly formerly?: readonly string[] | undefined
}

/**
 * An attribute that is stored encrypted, by AES-256 in GCM, under a key that only the program has, and read as a
 * `Secret`. It is bound to its type, its attribute and the identity of its row: a value that somebody moved to another
 * row is not read. The nonce is made of the value, so that the same value of the same row is stored as the same bytes, and
 * a write that is repeated changes nothing. Whoever sees the table can tell how long values are.
 */
export function encrypted<T, Given>(
  of: Attribute<T, 'mapped', Given>,
  options: EncryptedOptions,
): Attribute<Secret<T>, 'mapped', Given | Secret<T>> {
  checkOptions('encrypted()', options, 'keys, current, context, searchable, formerly')
  const { keys, current, context, searchable, formerly = [] } = options
  refuse('encrypted()', !isObject(keys), 'call.given', 'keys', "give 'keys' as an object")
  refuse('encrypted()', typeof context !== 'string', 'call.given', 'context', "give 'context' as a text")
  const areNames = Array.isArray(formerly) && formerly.every(name => typeof name === 'string')
  refuse('encrypted()', !areNames, 'call.given', 'formerly', "give 'formerly' as a list of names, as user.iban")
  const { encode, decode } = declaredOf(of, 'encrypted()')
  const ciphers = new Map(Object.entries(keys).map(([name, key]) => [name, cipherOf(name, key, context)]))
  const encrypting = ciphers.get(current)
  if (!encrypting)
    throw new GraphError('attribute.key', `encrypted(): there is no key '${current}' among ${Object.keys(keys)}`)
  const made = mapped<Secret<T>, Uint8Array, Uint8Array>(binary(), {
    write(value) {
      const plain = value instanceof Secret ? value.value : value
      return encrypting.seal(
        hidden('what is to be encrypted', () => Buffer.from(textOf(ordered(encode(plain, 'value'))))),
      )
    },
    read(stored) {
      const text = Buffer.from(cipherIn(ciphers, stored).open(stored)).toString()
      return new Secret(hidden('what is encrypted', () => decode(valueIn(text), 'value') as T))
    },
  })
  const rowBinding = searchable ? undefined : bindingBy(ciphers, encrypting, formerly)
  return attribute({ ...made.declared, rowBinding }) as Attribute<Secret<T>, 'mapped', Given | Secret<T>>
}

/** What is wrong with a secret is told without it. */
function hidden<R>(what: string, made: () => R): R {
  try {
    return made()
  } catch {
    throw new Error(`${what} is not as it is declared`)
  }
}

/** The cipher that a stored value names. */
function cipherIn(ciphers: ReadonlyMap<string, Cipher>, stored: Uint8Array): Cipher {
  const [version, length = 0] = stored
  const isKnown = version === UNBOUND || version === BOUND
  const name = isKnown ? Buffer.from(stored.subarray(2, 2 + length)).toString() : ''
  const cipher = ciphers.get(name)
  if (cipher) return cipher
  // What is not encrypted is not shown either.
  const shown = stored.length >= 2 + length + LEAST_BYTES ? name : ''
  throw new Error(`no key '${shown}' is given, or nothing is encrypted here`)
}

const placeText = ({ name, identity }: ValuePlace) => JSON.stringify([name, identity])

function bindingBy(ciphers: ReadonlyMap<string, Cipher>, encrypting: Cipher, formerly: readonly string[]): RowBinding {
  const plainOf = (stored: Uint8Array) => cipherIn(ciphers, stored).open(stored)
  return {
    bind: ({ B }, place) => ({ B: encrypting.seal(plainOf(B!), placeText(place)) }),
    check({ B }, { name, identity }) {
      if (B![0] !== BOUND) return
      const cipher = cipherIn(ciphers, B!)
      if ([name, ...formerly].some(each => cipher.isAt(B!, placeText({ name: each, identity })))) return
      throw new Error(
        "it was encrypted for another row or attribute; if the attribute was renamed, list its former name in 'formerly'",
      )
    },
    forms({ B }, { name, identity }) {
      const plain = plainOf(B!)
      const places = [undefined, ...[name, ...formerly].map(each => placeText({ name: each, identity }))]
      return [...ciphers.values()].flatMap(cipher => places.map(place => ({ B: cipher.seal(plain, place) })))
    },
  }
}

/** A stored value as text: bytes, which JSON does not have, as base64. */
function textOf(value: AttributeValue): string {
  return JSON.stringify(value, function (this: Record<string, unknown>, name, each) {
    // A Buffer has become an object by now.
    const bytes = this[name]
    return bytes instanceof Uint8Array ? Buffer.from(bytes).toString('base64') : each
  })
}

/** Only the type of a value has a text, or texts, under B and BS: an attribute of such a name has an object. */
function valueIn(text: string): AttributeValue {
  const bytes = (base64: string) => new Uint8Array(Buffer.from(base64, 'base64'))
  return JSON.parse(text, (name, each) => {
    if (name === 'B' && typeof each === 'string') return bytes(each)
    return name === 'BS' && Array.isArray(each) ? each.map(bytes) : each
  })
}
