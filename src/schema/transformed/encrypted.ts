import { createCipheriv, createDecipheriv, createHmac, hkdfSync } from 'node:crypto'
import type { AttributeValue } from '../../dynamodb/attribute-value.js'
import type { Attribute } from '../attribute.js'
import { binary } from '../attributes/binary.js'
import { declaredOf } from '../attributes/validated.js'
import { GraphError } from '../error.js'
import { checkOptions, isObject, refuse } from '../refusal.js'
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
}

/** The first byte of what is stored: how the rest is to be read. */
const VERSION = 1
const KEY_BYTES = 32
const NAME_BYTES = 255
const NONCE_BYTES = 12
const TAG_BYTES = 16
const CIPHER = 'aes-256-gcm'

/**
 * An attribute that is stored encrypted, by AES-256 in GCM, under a key that only the program has, and read as a
 * `Secret`. The nonce is made of the value, so that the same value is stored as the same bytes: conditions can test
 * whether it `is` something, and whoever sees the table can tell which values are equal, and how long they are.
 */
export function encrypted<T, Given>(
  of: Attribute<T, 'mapped', Given>,
  options: EncryptedOptions,
): Attribute<Secret<T>, 'mapped', Given | Secret<T>> {
  checkOptions('encrypted()', options, 'keys, current, context')
  const { keys, current, context } = options
  refuse('encrypted()', !isObject(keys), 'call.given', 'keys', "give 'keys' as an object")
  refuse('encrypted()', typeof context !== 'string', 'call.given', 'context', "give 'context' as a text")
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
      const [version, length = 0] = stored
      // What is not encrypted is not shown either.
      const name = version === VERSION ? Buffer.from(stored.subarray(2, 2 + length)).toString() : ''
      const cipher = ciphers.get(name)
      if (!cipher) throw new Error(`no key '${name}' is given, or nothing is encrypted here`)
      const text = cipher.open(stored)
      return new Secret(hidden('what is encrypted', () => decode(valueIn(text), 'value') as T))
    },
  })
  return made as Attribute<Secret<T>, 'mapped', Given | Secret<T>>
}

/** What is wrong with a secret is told without it. */
function hidden<R>(what: string, made: () => R): R {
  try {
    return made()
  } catch {
    throw new Error(`${what} is not as it is declared`)
  }
}

interface Cipher {
  seal(plain: Uint8Array): Uint8Array
  open(stored: Uint8Array): string
}

function cipherOf(name: string, key: Uint8Array, context: string): Cipher {
  const nameBytes = Buffer.from(name)
  if (!(key instanceof Uint8Array) || key.length !== KEY_BYTES || nameBytes.length > NAME_BYTES)
    throw new GraphError(
      'attribute.key',
      `encrypted(): give the key '${name}' as ${KEY_BYTES} bytes, under a short name`,
    )
  const header = Buffer.from([VERSION, nameBytes.length, ...nameBytes])
  const about = Buffer.concat([header, Buffer.from(context)])
  const derived = Buffer.from(hkdfSync('sha256', key, '', 'edgewise encrypted attribute', 2 * KEY_BYTES))
  const encrypting = derived.subarray(0, KEY_BYTES)
  const naming = derived.subarray(KEY_BYTES)
  return {
    seal(plain) {
      const nonce = createHmac('sha256', naming).update(about).update(plain).digest().subarray(0, NONCE_BYTES)
      const cipher = createCipheriv(CIPHER, encrypting, nonce).setAAD(about)
      const body = [cipher.update(plain), cipher.final()]
      return Buffer.concat([header, nonce, ...body, cipher.getAuthTag()])
    },
    open(stored) {
      const nonceEnd = header.length + NONCE_BYTES
      const bodyEnd = stored.length - TAG_BYTES
      if (bodyEnd < nonceEnd) throw new Error('what is stored is too short to be encrypted')
      const cipher = createDecipheriv(CIPHER, encrypting, stored.subarray(header.length, nonceEnd))
      cipher.setAAD(about).setAuthTag(stored.subarray(bodyEnd))
      try {
        return Buffer.concat([cipher.update(stored.subarray(nonceEnd, bodyEnd)), cipher.final()]).toString()
      } catch {
        throw new Error(`it was not encrypted by the key '${name}' for ${context}, or was changed since`)
      }
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
