import { GraphError } from '../error.js'

/** One key of an encrypted attribute. */
export interface Cipher {
  /** Encrypts a value. With a place, the result is valid only there. */
  seal(plain: Uint8Array, place?: string): Uint8Array
  /** Decrypts a bound or an unbound value. */
  open(stored: Uint8Array): Uint8Array
  /** Whether a bound value belongs to this place. */
  isBoundTo(stored: Uint8Array, place: string): boolean
}

/** The first byte of a stored value: bound only to its context, or also to a row. */
export const UNBOUND = 1
export const BOUND = 2
const KEY_BYTES = 32
const NAME_BYTES = 255
const PLACE_BYTES = 16
const NONCE_BYTES = 12
const TAG_BYTES = 16
/** The length of the shortest encrypted value, without its header. */
export const MIN_SEALED_BYTES = NONCE_BYTES + TAG_BYTES
const CIPHER = 'aes-256-gcm'

/**
 * Returns `node:crypto`. Encoding is synchronous, which rules out Web Crypto. The module is looked up at first use, so
 * that this entry also loads in environments without it.
 */
function nodeCrypto(): typeof import('node:crypto') {
  const crypto = globalThis.process?.getBuiltinModule?.('node:crypto')
  if (crypto) return crypto
  throw new GraphError(
    'attribute.key',
    'encrypted(): this environment has no node:crypto; run it on Node, Deno or Bun.',
  )
}

export function createCipher(name: string, key: Uint8Array, context: string): Cipher {
  const { createCipheriv, createDecipheriv, createHmac, hkdfSync } = nodeCrypto()
  const nameBytes = Buffer.from(name)
  if (!(key instanceof Uint8Array) || key.length !== KEY_BYTES || nameBytes.length > NAME_BYTES)
    throw new GraphError(
      'attribute.key',
      `encrypted(): the key '${name}' is invalid; give ${KEY_BYTES} bytes under a name of at most ${NAME_BYTES} bytes.`,
    )
  const derived = Buffer.from(hkdfSync('sha256', key, '', 'edgewise encrypted attribute', 2 * KEY_BYTES))
  const encryptionKey = derived.subarray(0, KEY_BYTES)
  const macKey = derived.subarray(KEY_BYTES)
  const headerLength = 2 + nameBytes.length
  /** The leading zero separates these inputs from all others of this HMAC. */
  const placeTag = (place: string) =>
    createHmac('sha256', macKey)
      .update(Buffer.from([0]))
      .update(place)
      .digest()
      .subarray(0, PLACE_BYTES)
  const bodyStart = (stored: Uint8Array) => headerLength + (stored[0] === BOUND ? PLACE_BYTES : 0)
  const authenticatedDataOf = (head: Uint8Array) => Buffer.concat([head, Buffer.from(context)])
  return {
    seal(plain, place) {
      const header = [place === undefined ? UNBOUND : BOUND, nameBytes.length, ...nameBytes]
      const head = Buffer.from([...header, ...(place === undefined ? [] : placeTag(place))])
      // The nonce depends on the place too: one nonce for two messages would reveal the authentication key of GCM.
      const authenticatedData = authenticatedDataOf(head)
      const nonce = createHmac('sha256', macKey)
        .update(authenticatedData)
        .update(plain)
        .digest()
        .subarray(0, NONCE_BYTES)
      const cipher = createCipheriv(CIPHER, encryptionKey, nonce).setAAD(authenticatedData)
      return new Uint8Array(Buffer.concat([head, nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]))
    },
    open(stored) {
      const start = bodyStart(stored)
      const nonceEnd = start + NONCE_BYTES
      const bodyEnd = stored.length - TAG_BYTES
      if (bodyEnd < nonceEnd) throw new Error('the stored value is too short to be encrypted')
      const cipher = createDecipheriv(CIPHER, encryptionKey, stored.subarray(start, nonceEnd))
      cipher.setAAD(authenticatedDataOf(stored.subarray(0, start))).setAuthTag(stored.subarray(bodyEnd))
      try {
        return Buffer.concat([cipher.update(stored.subarray(nonceEnd, bodyEnd)), cipher.final()])
      } catch {
        throw new Error(`the value was not encrypted by the key '${name}' for ${context}, or was changed since`)
      }
    },
    isBoundTo: (stored, place) => placeTag(place).equals(stored.subarray(headerLength, headerLength + PLACE_BYTES)),
  }
}
