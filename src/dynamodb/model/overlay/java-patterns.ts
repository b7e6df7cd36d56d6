/** Java counts a surrogate pair in the pattern as one character; JavaScript does so only with the `u` flag. */
const ROLE = String.raw`[\u0020-\uD7FF\uE000-\uFFFD\uD800\uDC00-\uDBFF\uDFFF\r\n\t]*`

/** JavaScript's equivalents of the published patterns in which Java's syntax differs. */
export const JAVA_PATTERNS: ReadonlyMap<string, RegExp> = new Map([
  [ROLE, new RegExp(`^${ROLE}$`, 'u')],
  [String.raw`\p{Print}+`, /^[ -~]+$/],
])
