import { styleText } from 'node:util'

export type Style = Parameters<typeof styleText>[0]

interface OutputStream {
  readonly isTTY?: boolean
  hasColors?(): boolean
}

/** Colors are on for terminals unless NO_COLOR is set, and elsewhere only with FORCE_COLOR. */
export function hasColor(stream: OutputStream = process.stdout): boolean {
  const { NO_COLOR, FORCE_COLOR } = process.env
  if (NO_COLOR) return false
  if (stream.isTTY) return stream.hasColors?.() ?? false
  return FORCE_COLOR !== undefined && FORCE_COLOR !== '0'
}

/** Styles a text, or returns it unchanged without colors. */
export const paint = (style: Style, text: string, stream: OutputStream = process.stdout): string =>
  hasColor(stream) ? styleText(style, text, STYLE_OPTIONS) : text

/** The color decision is made above; newer versions of Node would check the stream again. */
const STYLE_OPTIONS = { validateStream: false } as const

export function print(...paragraphs: readonly string[]): void {
  process.stdout.write(`${paragraphs.join('\n\n')}\n`)
}

/** Prints one document, for `--json`. */
export function printJson(value: unknown): void {
  print(formatJson(value, 2))
}

/** Formats a row or another value as JSON. */
export const formatJson = (value: unknown, indent?: number): string => JSON.stringify(value, toPlainJson, indent)

/** Converts values without a JSON form: sets to lists, long integers to strings, bytes to base64. */
function toPlainJson(_name: string, value: unknown): unknown {
  if (typeof value === 'bigint') return String(value)
  if (value instanceof Set) return [...value]
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64')
  return value
}

/** Formats `1 request`, `2 requests`. */
export const formatCount = (n: number, noun: string): string => `${n} ${n === 1 ? noun : pluralOf(noun)}`

const pluralOf = (noun: string) => (/[^aeiou]y$/.test(noun) ? `${noun.slice(0, -1)}ies` : `${noun}s`)
