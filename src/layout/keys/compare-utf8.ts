/**
 * Compares texts by their UTF-8 bytes, as DynamoDB does. JavaScript compares UTF-16 units and sorts surrogate pairs
 * before U+E000 to U+FFFF.
 */
export function compareUtf8(a: string, b: string): number {
  let at = 0
  while (at < a.length && a[at] === b[at]) at++
  // A longer text sorts after its prefix.
  return (a.codePointAt(at) ?? -1) - (b.codePointAt(at) ?? -1)
}
