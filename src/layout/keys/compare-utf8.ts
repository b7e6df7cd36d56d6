/** Orders texts as DynamoDB does, by their UTF-8 bytes: JavaScript puts characters of two units before U+E000 to U+FFFF. */
export function compareUtf8(a: string, b: string): number {
  let at = 0
  while (at < a.length && a[at] === b[at]) at++
  // A text that goes on is after one that ends.
  return (a.codePointAt(at) ?? -1) - (b.codePointAt(at) ?? -1)
}
