/** Bytes as a text of two characters each. */
export const hexOf = (bytes: Uint8Array): string =>
  Array.from(bytes, byte => (byte + 256).toString(16).slice(1)).join('')
