const TRUE: ReadonlySet<string> = new Set(['true', 't', 'yes', 'y', '1'])
const FALSE: ReadonlySet<string> = new Set(['false', 'f', 'no', 'n', '0'])

/** The boolean that a text spells to the service's reader, if it spells one. */
export function parseBoolean(text: string): boolean | undefined {
  const words = text.toLowerCase()
  return TRUE.has(words) ? true : FALSE.has(words) ? false : undefined
}
