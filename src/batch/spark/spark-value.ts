import { fromBase64 } from '../../jobs/rows/base64.js'

/** The value of a column as DuckDB returns it, from the text that a run on Spark wrote. An absent text is NULL. */
export function parseSparkValue(type: string, text: string | undefined): unknown {
  if (text === undefined || text === null) return null
  switch (type) {
    case 'byte':
    case 'short':
    case 'integer':
    case 'long':
      return integerOf(text)
    case 'float':
    case 'double':
    case 'decimal':
      return Number(text)
    case 'boolean':
      return text === 'true'
    case 'timestamp':
    case 'timestamp_ntz':
      return new Date(`${text.replace(' ', 'T')}Z`)
    case 'date':
      return new Date(`${text}T00:00:00Z`)
    case 'binary':
      return fromBase64(text)
    case 'variant':
    case 'array':
    case 'map':
    case 'struct':
      return JSON.parse(text)
    default:
      return text
  }
}

/** A number of JavaScript if that holds the integer exactly. */
const integerOf = (text: string) => (Number.isSafeInteger(Number(text)) ? Number(text) : BigInt(text))
