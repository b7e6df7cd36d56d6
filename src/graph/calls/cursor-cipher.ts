import { GraphError } from '../../schema/error.js'
import { assertArgument } from '../arguments.js'

/** Encrypts and authenticates cursors, so that a client can neither read nor change one. */
export interface CursorCipher {
  /** Encrypts a plain cursor for the query with this text. */
  seal(plain: string, query: string): Promise<string>
  /**
   * Decrypts a cursor of the query with this text.
   * @throws {cursor.invalid} the cursor was changed, belongs to another query or tenant, or was encrypted with an
   * unknown key
   */
  open(sealed: string, query: string): Promise<string>
}

const KEY_BYTES = 32
/** The length that GCM is specified for. */
const NONCE_BYTES = 12
/** The first byte of a sealed cursor. A plain cursor begins with '[' once it is decoded. */
const VERSION = 2
const CIPHER = 'AES-GCM'

/**
 * Creates the cipher of `open({ cursorKey })`: the first key encrypts, all keys decrypt. It uses Web Crypto, which
 * browsers, Workers and Node have without an import. Web Crypto is asynchronous, and so is every call that takes a
 * cursor.
 */
export async function createCursorCipher(cursorKey: unknown): Promise<CursorCipher | undefined> {
  if (cursorKey === undefined) return undefined
  const keys: readonly unknown[] = Array.isArray(cursorKey) ? cursorKey : [cursorKey]
  const areKeys = keys.length > 0 && keys.every(key => key instanceof Uint8Array && key.length === KEY_BYTES)
  assertArgument(
    areKeys,
    `cursorKey: the value is not a key; give a Uint8Array of ${KEY_BYTES} bytes, or a list of them.`,
  )
  assertArgument(
    globalThis.crypto?.subtle !== undefined,
    'cursorKey: this environment has no Web Crypto (crypto.subtle); in a browser, use a page that is served by https.',
  )
  const imported = await Promise.all(
    keys.map(key => crypto.subtle.importKey('raw', copyOf(key as Uint8Array), CIPHER, false, ['encrypt', 'decrypt'])),
  )
  return {
    async seal(plain, query) {
      const iv = crypto.getRandomValues(new Uint8Array(NONCE_BYTES))
      const algorithm = { name: CIPHER, iv, additionalData: encoder.encode(query) }
      const body = await crypto.subtle.encrypt(algorithm, imported[0]!, bytesIn(plain)!)
      return base64url(new Uint8Array([VERSION, ...iv, ...new Uint8Array(body)]))
    },
    async open(sealed, query) {
      const bytes = bytesIn(sealed)
      if (bytes?.[0] !== VERSION) throw invalidCursor()
      const iv = bytes.slice(1, 1 + NONCE_BYTES)
      const algorithm = { name: CIPHER, iv, additionalData: encoder.encode(query) }
      for (const key of imported) {
        // A failed decryption does not say why: the cursor was changed, or belongs to another key or
        // query.
        const plain = await crypto.subtle.decrypt(algorithm, key, bytes.slice(1 + NONCE_BYTES)).catch(() => undefined)
        if (plain) return base64url(new Uint8Array(plain))
      }
      throw invalidCursor()
    },
  }
}

const invalidCursor = () =>
  new GraphError(
    'cursor.invalid',
    'cursor: it was changed, belongs to another query or tenant, or was encrypted with a key that is not given; begin again without it.',
  )

const encoder = new TextEncoder()

/** Copies the key, so that later changes of the caller's bytes have no effect. */
const copyOf = (key: Uint8Array) => new Uint8Array(key)

function bytesIn(text: unknown): Uint8Array<ArrayBuffer> | undefined {
  if (typeof text !== 'string') return undefined
  try {
    return Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), each => each.charCodeAt(0))
  } catch {
    return undefined
  }
}

const base64url = (bytes: Uint8Array) =>
  btoa(Array.from(bytes, byte => String.fromCharCode(byte)).join(''))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
