/** Encodes bytes in hexadecimal. */
export const hexOf = (bytes: Uint8Array): string =>
  bytes.reduce((text, byte) => text + (byte + 256).toString(16).slice(1), '')
