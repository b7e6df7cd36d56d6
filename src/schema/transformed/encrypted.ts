import type { AttributeValue } from '../../dynamodb/attribute-value.js'
import { type Attribute, createAttribute } from '../attribute.js'
import { binary } from '../attributes/binary.js'
import { declarationOf } from '../attributes/validated.js'
import { checkOptions, isObject, rejectDeclarationIf } from '../checks/assertions.js'
import type { RowBinding, ValuePlace } from '../declarations.js'
import { GraphError } from '../error.js'
import { toCanonicalValue } from './canonical-value.js'
import { BOUND, type Cipher, createCipher, MIN_SEALED_BYTES, UNBOUND } from './cipher.js'
import { mapped } from './mapped.js'
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
export function encrypted<T, Input>(
  of: Attribute<T, 'mapped', Input>,
  options: EncryptedOptions,
): Attribute<Secret<T>, 'mapped', Input | Secret<T>> {
  checkOptions('encrypted()', options, 'keys, current, context, searchable, formerly')
  const { keys, current, context, searchable, formerly = [] } = options
  rejectDeclarationIf('encrypted()', !isObject(keys), 'call.given', 'keys', "give 'keys' as an object")
  rejectDeclarationIf('encrypted()', typeof context !== 'string', 'call.given', 'context', "give 'context' as a text")
  const areNames = Array.isArray(formerly) && formerly.every(name => typeof name === 'string')
  rejectDeclarationIf(
    'encrypted()',
    !areNames,
    'call.given',
    'formerly',
    "give 'formerly' as a list of names, as user.iban",
  )
  const { encode, decode } = declarationOf(of, 'encrypted()')
  const ciphers = new Map(Object.entries(keys).map(([name, key]) => [name, createCipher(name, key, context)]))
  const encrypting = ciphers.get(current)
  if (!encrypting)
    throw new GraphError('attribute.key', `encrypted(): there is no key '${current}' among ${Object.keys(keys)}`)
  const mappedAttribute = mapped<Secret<T>, Uint8Array, Uint8Array>(binary(), {
    write(value) {
      const plain = value instanceof Secret ? value.value : value
      return encrypting.seal(
        withoutSecretInError('what is to be encrypted', () =>
          Buffer.from(toJsonText(toCanonicalValue(encode(plain, 'value')))),
        ),
      )
    },
    read(stored) {
      const text = Buffer.from(cipherOfStored(ciphers, stored).open(stored)).toString()
      return new Secret(withoutSecretInError('what is encrypted', () => decode(fromJsonText(text), 'value') as T))
    },
  })
  const rowBinding = searchable ? undefined : createRowBinding(ciphers, encrypting, formerly)
  return createAttribute({ ...mappedAttribute.declared, rowBinding }) as Attribute<
    Secret<T>,
    'mapped',
    Input | Secret<T>
  >
}

/** What is wrong with a secret is told without it. */
function withoutSecretInError<R>(subject: string, run: () => R): R {
  try {
    return run()
  } catch {
    throw new Error(`${subject} is not as it is declared`)
  }
}

/** The cipher that a stored value names. */
function cipherOfStored(ciphers: ReadonlyMap<string, Cipher>, stored: Uint8Array): Cipher {
  const [version, length = 0] = stored
  const isKnown = version === UNBOUND || version === BOUND
  const name = isKnown ? Buffer.from(stored.subarray(2, 2 + length)).toString() : ''
  const cipher = ciphers.get(name)
  if (cipher) return cipher
  // What is not encrypted is not shown either.
  const shownName = stored.length >= 2 + length + MIN_SEALED_BYTES ? name : ''
  throw new Error(`no key '${shownName}' is given, or nothing is encrypted here`)
}

const toPlaceText = ({ name, identity }: ValuePlace) => JSON.stringify([name, identity])

function createRowBinding(
  ciphers: ReadonlyMap<string, Cipher>,
  encrypting: Cipher,
  formerly: readonly string[],
): RowBinding {
  const decrypt = (stored: Uint8Array) => cipherOfStored(ciphers, stored).open(stored)
  return {
    bind: ({ B }, place) => ({ B: encrypting.seal(decrypt(B!), toPlaceText(place)) }),
    check({ B }, { name, identity }) {
      if (B![0] !== BOUND) return
      const cipher = cipherOfStored(ciphers, B!)
      if ([name, ...formerly].some(each => cipher.isBoundTo(B!, toPlaceText({ name: each, identity })))) return
      throw new Error(
        "it was encrypted for another row or attribute; if the attribute was renamed, list its former name in 'formerly'",
      )
    },
    forms({ B }, { name, identity }) {
      const plain = decrypt(B!)
      const places = [undefined, ...[name, ...formerly].map(each => toPlaceText({ name: each, identity }))]
      return [...ciphers.values()].flatMap(cipher => places.map(place => ({ B: cipher.seal(plain, place) })))
    },
  }
}

/** A stored value as text: bytes, which JSON does not have, as base64. */
function toJsonText(value: AttributeValue): string {
  return JSON.stringify(value, function (this: Record<string, unknown>, name, each) {
    // A Buffer has become an object by now.
    const bytes = this[name]
    return bytes instanceof Uint8Array ? Buffer.from(bytes).toString('base64') : each
  })
}

/** Only the type of a value has a text, or texts, under B and BS: an attribute of such a name has an object. */
function fromJsonText(text: string): AttributeValue {
  const bytes = (base64: string) => new Uint8Array(Buffer.from(base64, 'base64'))
  return JSON.parse(text, (name, each) => {
    if (name === 'B' && typeof each === 'string') return bytes(each)
    return name === 'BS' && Array.isArray(each) ? each.map(bytes) : each
  })
}
