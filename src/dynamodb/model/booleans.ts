const TRUE: ReadonlySet<string> = new Set(['true', 't', 'yes', 'y', '1'])
const FALSE: ReadonlySet<string> = new Set(['false', 'f', 'no', 'n', '0'])

/** Returns the boolean that the service's parser reads from a string, or undefined. */
export function parseBoolean(text: string): boolean | undefined {
  const words = text.toLowerCase()
  return TRUE.has(words) ? true : FALSE.has(words) ? false : undefined
}
