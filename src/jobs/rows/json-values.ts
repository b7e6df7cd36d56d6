import { formatDecimal, isStorable, parseDecimal } from '../../dynamodb/number.js'
import { invalidValueError } from '../../schema/checks/assertions.js'
import type { DeclaredAttribute } from '../../schema/declarations.js'
import { GraphError } from '../../schema/error.js'
import { mapValues } from '../../schema/map-values.js'
import { fromBase64, toBase64 } from './base64.js'
import { assertExactNumbers, parseExactNumber } from './exact-numbers.js'

/**
 * Converts a value of an attribute to JSON: bigints and decimals to strings, dates to ISO 8601, bytes to base64, sets
 * to arrays.
 */
export function toJsonValue({ kind, element, members, mapped }: DeclaredAttribute, value: unknown): unknown {
  if (mapped) return toJsonValue(mapped.inner, mapped.write(value))
  switch (kind) {
    case 'bigint':
      return String(value)
    case 'date':
      return (value as Date).toISOString()
    case 'binary':
      return toBase64(value as Uint8Array)
    case 'list':
    case 'set':
      return Array.from(value as Iterable<unknown>, entry => toJsonValue(element!, entry))
    case 'map':
      return mapValues(value as Record<string, unknown>, (member, name) =>
        member === undefined ? undefined : toJsonValue(members![name]!, member),
      )
    default:
      return value
  }
}

/**
 * Converts a JSON value to a value of an attribute. Most invalid values are kept, and the write rejects them. Values
 * without a JSON form, such as a bigint, are rejected here with the name of the column.
 */
export function fromJsonValue(
  { kind, element, members, mapped }: DeclaredAttribute,
  plain: unknown,
  column: string,
): unknown {
  if (mapped) return readMapped(mapped, path => fromJsonValue(mapped.inner, plain, path), column)
  if (plain === undefined || (plain === null && kind !== 'json' && kind !== 'validated')) return undefined
  switch (kind) {
    case 'bigint':
      return toBigInt(plain, column)
    case 'decimal':
      return typeof plain === 'number' ? String(plain) : plain
    case 'date':
      return toDate(plain, column)
    case 'binary':
      return toBytes(plain, column)
    case 'list':
      return Array.isArray(plain) ? plain.map(entry => fromJsonValue(element!, entry, column)) : plain
    case 'set':
      return new Set(toMembers(plain, column).map(entry => fromJsonValue(element!, entry, column)))
    case 'map':
      return isObject(plain)
        ? mapValues(plain, (member, name) => (members![name] ? fromJsonValue(members![name], member, column) : member))
        : plain
    default:
      return plain
  }
}

const INTEGER = /^-?\d+$/

/** Parses a bigint from text, because a JavaScript number would lose digits. */
function toBigInt(plain: unknown, column: string): bigint {
  const text = typeof plain === 'string' || typeof plain === 'number' ? String(plain) : ''
  const decimal = parseDecimal(text)
  // Do not expand exponents beyond DynamoDB's range: the text would be huge.
  const integerText = INTEGER.test(text) ? text : decimal && isStorable(decimal) ? formatDecimal(decimal) : ''
  if (!INTEGER.test(integerText)) throw invalidValueError(column, 'an integer', plain)
  return BigInt(integerText)
}

const isObject = (plain: unknown): plain is Record<string, unknown> =>
  typeof plain === 'object' && plain !== null && !Array.isArray(plain)

/** A day, or a date and time with a zone. A time without a zone would be ambiguous. */
const DATE_TIME = /^\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d(:?\d\d)?))?$/
/** A zone with hours only, which JavaScript cannot parse. */
const HOURS = /(:.*[+-]\d\d)$/

const DATE_FORMATS = 'a day such as 2020-01-31, or a time with its zone such as 2020-01-31T12:00:00Z'

function toDate(plain: unknown, column: string): Date {
  const text = typeof plain === 'string' && DATE_TIME.test(plain) ? plain : ''
  const date = new Date(text.replace(' ', 'T').replace(HOURS, '$1:00'))
  // JavaScript parses February 30 as March 1, so check the day.
  const isDay = new Date(text.slice(0, 10)).getUTCDate() === Number(text.slice(8, 10))
  if (Number.isNaN(date.getTime()) || !isDay) throw invalidValueError(column, DATE_FORMATS, plain, 'value.date')
  return date
}

function toBytes(plain: unknown, column: string): Uint8Array {
  const bytes = typeof plain === 'string' ? fromBase64(plain) : undefined
  if (!bytes) throw invalidValueError(column, 'bytes as a base64 string', plain)
  return bytes
}

function toMembers(plain: unknown, column: string): readonly unknown[] {
  if (!Array.isArray(plain)) throw invalidValueError(column, 'a JSON array', plain)
  if (plain.length === 0) throw invalidValueError(column, 'an array with elements, or leave it out', plain, 'value.set')
  return plain
}

/** Reads a value of a mapped attribute. Invalid stored values are rejected here, because `read` might accept them. */
function readMapped(
  { inner, read }: NonNullable<DeclaredAttribute['mapped']>,
  storedAs: (path: string) => unknown,
  column: string,
): unknown {
  try {
    const stored = storedAs('it')
    if (stored === undefined) return undefined
    inner.encode(stored, 'it')
    return read(stored)
  } catch (error) {
    throw new GraphError(
      'load.row',
      `${column}: the value cannot be converted from its stored form (${(error as Error).message}); correct it.`,
    )
  }
}

const JSON_KINDS = new Set(['list', 'set', 'map', 'json', 'validated'])

/** Converts a value of an attribute to the text of a CSV cell. Structured values are JSON. */
export function toCellText(attribute: DeclaredAttribute, value: unknown): string {
  const { mapped } = attribute
  if (mapped) return toCellText(mapped.inner, mapped.write(value))
  const plain = toJsonValue(attribute, value)
  return JSON_KINDS.has(attribute.kind) ? JSON.stringify(plain) : String(plain)
}

const BOOLEAN_TEXTS: Readonly<Record<string, boolean>> = { true: true, false: false, 1: true, 0: false }

/** Converts the text of a CSV cell to a value of an attribute. Invalid texts are kept, and the write rejects them. */
export function fromCellText(attribute: DeclaredAttribute, text: string, column: string): unknown {
  const { kind, mapped } = attribute
  if (mapped) return readMapped(mapped, path => fromCellText(mapped.inner, text, path), column)
  switch (kind) {
    case 'number':
    case 'integer':
      return parseExactNumber(text.trim()) ?? text
    case 'boolean':
      return BOOLEAN_TEXTS[text.trim().toLowerCase()] ?? text
    case 'bigint':
    case 'decimal':
    case 'date':
    case 'day':
    case 'yearMonth':
      return fromJsonValue(attribute, text.trim(), column)
    default:
      return JSON_KINDS.has(kind) ? fromJsonCell(attribute, text, column) : fromJsonValue(attribute, text, column)
  }
}

function fromJsonCell(attribute: DeclaredAttribute, text: string, column: string): unknown {
  let plain: unknown
  try {
    plain = JSON.parse(text)
  } catch {
    // If the attribute takes any JSON, a cell that is not JSON is a plain string.
    return attribute.kind === 'set' ? fromJsonValue(attribute, text, column) : text
  }
  assertExactNumbers(text, column)
  return fromJsonValue(attribute, plain, column)
}
