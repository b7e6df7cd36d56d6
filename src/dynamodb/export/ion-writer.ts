import type { AttributeValue, Item } from '../attribute-value.js'
import { toBase64 } from './base64.js'

/** An item as a struct of Ion text, as DynamoDB's exports have it. */
export function itemToIon(item: Item): string {
  const fields = Object.keys(item).map(name => `${symbolToIon(name)}:${valueToIon(item[name]!)}`)
  return `{${fields.join(',')}}`
}

function valueToIon(value: AttributeValue): string {
  if (value.S !== undefined) return textToIon(value.S)
  if (value.N !== undefined) return numberToIon(value.N)
  if (value.B !== undefined) return bytesToIon(value.B)
  if (value.BOOL !== undefined) return String(value.BOOL)
  if (value.NULL !== undefined) return 'null'
  if (value.M !== undefined) return itemToIon(value.M)
  if (value.L !== undefined) return `[${value.L.map(valueToIon).join(',')}]`
  if (value.SS !== undefined) return `$dynamodb_SS::[${value.SS.map(textToIon).join(',')}]`
  if (value.NS !== undefined) return `$dynamodb_NS::[${value.NS.map(numberToIon).join(',')}]`
  return `$dynamodb_BS::[${value.BS!.map(bytesToIon).join(',')}]`
}

/** Each escape of JSON is one of Ion too. */
const textToIon = (text: string) => JSON.stringify(text)
const bytesToIon = (bytes: Uint8Array) => `{{${toBase64(bytes)}}}`

const TRAILING_ZEROS = /^(-?\d*[1-9])(0+)$/
const LEADING_ZEROS = /^(-?)0\.0*?(0*)([1-9]\d*)$/
/** From here on, a small number is written with an exponent. */
const PLAIN_FRACTION_DIGITS = 20

/** A decimal, which must not look like an integer of Ion: `103.`, `6d2`, `0.5`, `1d-130`. */
export function numberToIon(number: string): string {
  if (number === '0') return '0.'
  const [, head, zeros] = TRAILING_ZEROS.exec(number) ?? []
  if (head !== undefined) return `${head}d${zeros!.length}`
  if (!number.includes('.')) return `${number}.`
  const fractionDigits = number.length - number.indexOf('.') - 1
  if (fractionDigits <= PLAIN_FRACTION_DIGITS) return number
  const [, sign, , digits] = LEADING_ZEROS.exec(number) ?? []
  return digits === undefined ? number : `${sign}${digits}d-${fractionDigits}`
}

const IDENTIFIER = /^[A-Za-z_][A-Za-z0-9_$]*$/
const KEYWORDS = new Set(['null', 'true', 'false', 'nan'])

/** The name of a field. One that begins with `$` could be the number of a symbol. */
export function symbolToIon(name: string): string {
  if (IDENTIFIER.test(name) && !KEYWORDS.has(name)) return name
  return `'${JSON.stringify(name).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
}
