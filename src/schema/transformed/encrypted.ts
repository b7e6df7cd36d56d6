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

/** The options of `encrypted`. */
export interface EncryptedOptions {
  /** Keys of 32 bytes by names of your choice. All of them decrypt. */
  readonly keys: Readonly<Record<string, Uint8Array>>
  /** The name of the key that encrypts. */
  readonly current: string
  /**
   * The purpose of the value, such as `user.taxNumber`. A value that was encrypted for another context cannot be read.
   */
  readonly context: string
  /**
   * Stores equal values as equal bytes in every row, so that filters can test for equality. Values are then not bound
   * to their rows: anyone with write access to the table can swap two values and see which are equal.
   */
  readonly searchable?: boolean | undefined
  /**
   * Former names of the type and the attribute, such as `user.iban`. Values that were bound under these names remain
   * readable.
   */
  readonly formerly?: readonly string[] | undefined
}

/**
 * Declares an attribute that is stored encrypted by AES-256-GCM and read as a `Secret`. A value is bound to its type,
 * its attribute and the identity of its row: a value that was moved to another row cannot be read. The nonce is derived
 * from the value, so a repeated write stores the same bytes. The length of a value is visible in the table.
 *
 * @param of - the attribute that validates the plain value
 * @returns an attribute that is written as a plain value or a `Secret`
 * @throws {attribute.key} if a key does not have 32 bytes, the current key is missing, or `node:crypto` is not
 * available
 *
 * @example
 * ```ts
 * import { encrypted, node, string } from 'edgewise'
 *
 * const keys = { k1: new Uint8Array(32) }
 * const taxNumber = encrypted(string(), { keys, current: 'k1', context: 'user.taxNumber' })
 * const user = node('user', { name: string(), taxNumber }, { id: 'name' })
 * ```
 */
export function encrypted<T, Input>(
  of: Attribute<T, 'mapped', Input>,
  options: EncryptedOptions,
): Attribute<Secret<T>, 'mapped', Input | Secret<T>> {
  checkOptions('encrypted()', options, 'keys, current, context, searchable, formerly')
  const { keys, current, context, searchable, formerly = [] } = options
  rejectDeclarationIf(
    'encrypted()',
    !isObject(keys),
    'call.argument',
    'keys',
    "'keys' is not an object; give the keys by name.",
  )
  rejectDeclarationIf(
    'encrypted()',
    typeof context !== 'string',
    'call.argument',
    'context',
    "'context' is not a string; give a string.",
  )
  const areNames = Array.isArray(formerly) && formerly.every(name => typeof name === 'string')
  rejectDeclarationIf(
    'encrypted()',
    !areNames,
    'call.argument',
    'formerly',
    "'formerly' is not a list of names; give names such as user.iban.",
  )
  const { encode, decode } = declarationOf(of, 'encrypted()')
  const ciphers = new Map(Object.entries(keys).map(([name, key]) => [name, createCipher(name, key, context)]))
  const encrypting = ciphers.get(current)
  if (!encrypting)
    throw new GraphError(
      'attribute.key',
      `encrypted(): there is no key '${current}'; add it, or use one of ${Object.keys(keys).join(', ')}.`,
    )
  const mappedAttribute = mapped<Secret<T>, Uint8Array, Uint8Array>(binary(), {
    write(value) {
      const plain = value instanceof Secret ? value.value : value
      return encrypting.seal(
        withoutSecretInError('the value to encrypt', () =>
          Buffer.from(toJsonText(toCanonicalValue(encode(plain, 'value')))),
        ),
      )
    },
    read(stored) {
      const text = Buffer.from(cipherOfStored(ciphers, stored).open(stored)).toString()
      return new Secret(withoutSecretInError('the decrypted value', () => decode(fromJsonText(text), 'value') as T))
    },
  })
  const rowBinding = searchable ? undefined : createRowBinding(ciphers, encrypting, formerly)
  return createAttribute({ ...mappedAttribute.declared, rowBinding }) as Attribute<
    Secret<T>,
    'mapped',
    Input | Secret<T>
  >
}

/** Runs a function on a secret. Its errors are replaced, because they could contain the secret. */
function withoutSecretInError<R>(subject: string, run: () => R): R {
  try {
    return run()
  } catch {
    throw new Error(`${subject} does not have the declared type`)
  }
}

/** Returns the cipher whose key name is in the header of a stored value. */
function cipherOfStored(ciphers: ReadonlyMap<string, Cipher>, stored: Uint8Array): Cipher {
  const [version, length = 0] = stored
  const isKnown = version === UNBOUND || version === BOUND
  const name = isKnown ? Buffer.from(stored.subarray(2, 2 + length)).toString() : ''
  const cipher = ciphers.get(name)
  if (cipher) return cipher
  // A value without encryption could be plain text, so no part of it goes into the message.
  const shownName = stored.length >= 2 + length + MIN_SEALED_BYTES ? name : ''
  throw new Error(`the value is not encrypted, or its key '${shownName}' is not given`)
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
      if ([name, ...formerly].some(formerName => cipher.isBoundTo(B!, toPlaceText({ name: formerName, identity }))))
        return
      throw new Error(
        "it was encrypted for another row or attribute; if the attribute was renamed, list its former name in 'formerly'",
      )
    },
    forms({ B }, { name, identity }) {
      const plain = decrypt(B!)
      const places = [undefined, ...[name, ...formerly].map(placeName => toPlaceText({ name: placeName, identity }))]
      return [...ciphers.values()].flatMap(cipher => places.map(place => ({ B: cipher.seal(plain, place) })))
    },
  }
}

/** Converts a stored value to JSON. Bytes become base64, because JSON has no bytes. */
function toJsonText(value: AttributeValue): string {
  return JSON.stringify(value, function (this: Record<string, unknown>, name, member) {
    // JSON.stringify has already called toJSON() on a Buffer here, so the bytes are read from the parent.
    const bytes = this[name]
    return bytes instanceof Uint8Array ? Buffer.from(bytes).toString('base64') : member
  })
}

/**
 * Parses a stored value from JSON. `B` and `BS` hold strings only as type names: a user attribute with this name holds
 * an object.
 */
function fromJsonText(text: string): AttributeValue {
  const bytes = (base64: string) => new Uint8Array(Buffer.from(base64, 'base64'))
  return JSON.parse(text, (name, member) => {
    if (name === 'B' && typeof member === 'string') return bytes(member)
    return name === 'BS' && Array.isArray(member) ? member.map(bytes) : member
  })
}
