import type { AttributeValue } from '../../dynamodb/attribute-value.js'
import { formatDecimal, isPlainInteger, numberFault, parseDecimal } from '../../dynamodb/number.js'
import { type Attribute, attribute } from '../attribute.js'
import { GraphError } from '../error.js'
import { shown, wrongStored, wrongType } from '../refusal.js'

/** A JavaScript number, which DynamoDB holds exactly. */
export function number(): Attribute<number> {
  return attribute({ kind: 'number', encode: encodeNumber, decode: decodeNumber })
}

export function encodeNumber(value: unknown, path: string): AttributeValue {
  if (typeof value !== 'number') throw wrongType(path, 'a number', value)
  if (!Number.isFinite(value) || Object.is(value, -0)) throw unstorable(path, value)
  return { N: canonical(String(value), path, value) }
}

export function decodeNumber(value: AttributeValue, path = 'value'): number {
  const text = storedNumber(value, path)
  const number = Number(text)
  if (isPlainInteger(text)) return number
  if (Number.isFinite(number) && digitsOf(String(number)) === digitsOf(text)) return number
  throw new GraphError(
    'stored.inexact',
    `${path}: a JavaScript number cannot hold ${text} exactly: declare the attribute as bigint() or decimal()`,
    { path, value: text },
  )
}

export function storedNumber(value: AttributeValue, path: string): string {
  if (value.N === undefined) throw wrongStored(path, 'a number', value)
  return value.N
}

/** The text in which DynamoDB itself would answer a number. */
export function canonical(text: string, path: string, value: unknown): string {
  if (isPlainInteger(text)) return text
  const decimal = parseDecimal(text)
  if (!decimal) throw wrongType(path, 'a decimal number', value)
  // Zero is one number, however it is written.
  if (decimal.digits === '') return '0'
  if (numberFault(decimal)) throw unstorable(path, value)
  return formatDecimal(decimal)
}

function digitsOf(text: string): string {
  return formatDecimal(parseDecimal(text)!)
}

function unstorable(path: string, value: unknown): GraphError {
  return new GraphError(
    'value.number',
    `${path}: ${shown(value)} cannot be stored: DynamoDB holds 0 and numbers of up to 38 digits between 1e-130 and 1e126, of either sign`,
    { path, value },
  )
}
