/** Data that does not have the format of an export or an import. */
export class FormatError extends Error {
  override readonly name = 'FormatError'
}
