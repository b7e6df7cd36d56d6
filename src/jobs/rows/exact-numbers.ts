import { formatDecimal, parseDecimal } from '../../dynamodb/number.js'
import { GraphError } from '../../schema/error.js'

/** Parses a number. Returns undefined if the text is not a number or JavaScript would round it. */
export function parseExactNumber(text: string): number | undefined {
  const decimal = parseDecimal(text)
  const number = Number(text)
  const roundTrip = decimal && parseDecimal(String(number))
  return roundTrip && formatDecimal(roundTrip) === formatDecimal(decimal) ? number || 0 : undefined
}

const LONG_OR_TINY = /[\d.]{16,}|\de-\d{3}/i
const STRING_OR_NUMBER = /"(?:[^"\\]+|\\.)*"|-?\d[\d.eE+-]*/g

/** Throws if a JSON text contains a number that `JSON.parse` would silently round. */
export function assertExactNumbers(text: string, subject = 'row'): void {
  if (!LONG_OR_TINY.test(text)) return
  for (const [token] of text.matchAll(STRING_OR_NUMBER))
    if (!token.startsWith('"') && parseExactNumber(token) === undefined)
      throw new GraphError(
        'load.row',
        `${subject}: the number ${token} cannot be represented exactly; write it as a string, in quotes.`,
      )
}
