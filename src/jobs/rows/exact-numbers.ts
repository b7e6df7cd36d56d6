import { formatDecimal, parseDecimal } from '../../dynamodb/number.js'
import { GraphError } from '../../schema/error.js'

/** Undefined where the text is no number, or none that JavaScript holds exactly. */
export function numberOf(text: string): number | undefined {
  const decimal = parseDecimal(text)
  const number = Number(text)
  const back = decimal && parseDecimal(String(number))
  return back && formatDecimal(back) === formatDecimal(decimal) ? number || 0 : undefined
}

const LONG_OR_TINY = /[\d.]{16,}|\de-\d{3}/i
const STRING_OR_NUMBER = /"(?:[^"\\]+|\\.)*"|-?\d[\d.eE+-]*/g

/** Refuses JSON with a number that JSON.parse would round in silence; `where` it stands begins what is told. */
export function checkNumbers(text: string, where = ''): void {
  if (!LONG_OR_TINY.test(text)) return
  for (const [token] of text.matchAll(STRING_OR_NUMBER))
    if (!token.startsWith('"') && numberOf(token) === undefined)
      throw new GraphError(
        'load.row',
        `${where}the number ${token} cannot be held exactly: write it as a text, in quotes`,
      )
}
