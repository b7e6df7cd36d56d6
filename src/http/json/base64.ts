/** The message of the service, and of stores, for a value other than a string in place of bytes. */
export const NOT_BASE64 = 'only base-64-encoded strings are convertible to bytes'

const GROUP_CHARACTERS = 4

/** The bytes, or the service's error message for the text. */
export function parseBase64(text: string): Uint8Array | string {
  if (text.length % GROUP_CHARACTERS !== 0)
    return `Base64 encoded length is expected a multiple of 4 bytes but found: ${text.length}`
  const bytes = Buffer.from(text, 'base64')
  // Node skips invalid characters, so only encoding the result again shows whether it read everything.
  if (bytes.toString('base64') === text) return bytes
  const [invalidCharacter] = /[^A-Za-z0-9+/=]/.exec(text) ?? []
  // The spelling is the service's own.
  return invalidCharacter === undefined
    ? 'Invalid last non-pad Base64 character dectected'
    : `Invalid Base64 character: '${invalidCharacter}'`
}

export function formatBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64')
}
