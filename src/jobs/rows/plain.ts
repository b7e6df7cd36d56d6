import { formatDecimal, isStorable, parseDecimal } from '../../dynamodb/number.js'
import type { DeclaredAttribute } from '../../schema/declared.js'
import { GraphError } from '../../schema/error.js'
import { mapValues } from '../../schema/map-values.js'
import { wrongValue } from '../../schema/refusal.js'
import { fromBase64, toBase64 } from './base64.js'
import { checkNumbers, numberOf } from './exact-numbers.js'

/** A value of an attribute as JSON has it: bigints and decimals are texts, dates ISO 8601, bytes base64, sets lists. */
export function toPlain({ kind, element, members, mapped }: DeclaredAttribute, value: unknown): unknown {
  if (mapped) return toPlain(mapped.of, mapped.write(value))
  switch (kind) {
    case 'bigint':
      return String(value)
    case 'date':
      return (value as Date).toISOString()
    case 'binary':
      return toBase64(value as Uint8Array)
    case 'list':
    case 'set':
      return Array.from(value as Iterable<unknown>, each => toPlain(element!, each))
    case 'map':
      return mapValues(value as Record<string, unknown>, (each, name) =>
        each === undefined ? undefined : toPlain(members![name]!, each),
      )
    default:
      return value
  }
}

/**
 * A value of JSON as an attribute takes it. What cannot be one stays as it is, and is refused where it is written; but who
 * wrote a file cannot give a bigint, a Date, bytes or a Set, which a write would ask for: that is refused here, in words of
 * JSON, under the name of its column.
 */
export function fromPlain(
  { kind, element, members, mapped }: DeclaredAttribute,
  plain: unknown,
  column: string,
): unknown {
  if (mapped) return backFrom(mapped, it => fromPlain(mapped.of, plain, it), column)
  if (plain === undefined || (plain === null && kind !== 'json' && kind !== 'validated')) return undefined
  switch (kind) {
    case 'bigint':
      return wholeOf(plain, column)
    case 'decimal':
      return typeof plain === 'number' ? String(plain) : plain
    case 'date':
      return dateOf(plain, column)
    case 'binary':
      return bytesOf(plain, column)
    case 'list':
      return Array.isArray(plain) ? plain.map(each => fromPlain(element!, each, column)) : plain
    case 'set':
      return new Set(membersOf(plain, column).map(each => fromPlain(element!, each, column)))
    case 'map':
      return isObject(plain)
        ? mapValues(plain, (each, name) => (members![name] ? fromPlain(members![name], each, column) : each))
        : plain
    default:
      return plain
  }
}

const WHOLE = /^-?\d+$/

/** By its text, which says more than a number of JavaScript holds. */
function wholeOf(plain: unknown, column: string): bigint {
  const text = typeof plain === 'string' || typeof plain === 'number' ? String(plain) : ''
  const decimal = parseDecimal(text)
  // What nobody could store is not written out.
  const whole = WHOLE.test(text) ? text : decimal && isStorable(decimal) ? formatDecimal(decimal) : ''
  if (!WHOLE.test(whole)) throw wrongValue(column, 'a whole number', plain)
  return BigInt(whole)
}

const isObject = (plain: unknown): plain is Record<string, unknown> =>
  typeof plain === 'object' && plain !== null && !Array.isArray(plain)

/** A day, or a moment with its zone: without one nobody knows which moment it is. */
const MOMENT = /^\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d(:?\d\d)?))?$/
/** A zone of whole hours, which JavaScript does not read. */
const HOURS = /(:.*[+-]\d\d)$/

const DATES = 'a day, as 2020-01-31, or a moment with its zone, as 2020-01-31T12:00:00Z'

function dateOf(plain: unknown, column: string): Date {
  const text = typeof plain === 'string' && MOMENT.test(plain) ? plain : ''
  const date = new Date(text.replace(' ', 'T').replace(HOURS, '$1:00'))
  // JavaScript takes the 30th of February for the 1st of March.
  const isDay = new Date(text.slice(0, 10)).getUTCDate() === Number(text.slice(8, 10))
  if (Number.isNaN(date.getTime()) || !isDay) throw wrongValue(column, DATES, plain, 'value.date')
  return date
}

function bytesOf(plain: unknown, column: string): Uint8Array {
  const bytes = typeof plain === 'string' ? fromBase64(plain) : undefined
  if (!bytes) throw wrongValue(column, 'bytes as a text of base64', plain)
  return bytes
}

function membersOf(plain: unknown, column: string): readonly unknown[] {
  if (!Array.isArray(plain)) throw wrongValue(column, 'a list of JSON', plain)
  if (plain.length === 0) throw wrongValue(column, 'a list with members, or leave it out', plain, 'value.set')
  return plain
}

/** A value of the user's own type. What cannot be one is refused here: it could be taken for one that is to be stored. */
function backFrom(
  { of, read }: NonNullable<DeclaredAttribute['mapped']>,
  storedAs: (it: string) => unknown,
  column: string,
): unknown {
  try {
    const stored = storedAs('it')
    if (stored === undefined) return undefined
    of.encode(stored, 'it')
    return read(stored)
  } catch (error) {
    throw new GraphError('load.row', `${column} cannot be read as what is stored of it: ${(error as Error).message}`)
  }
}

const JSON_KINDS = new Set(['list', 'set', 'map', 'json', 'validated'])

/** A value of an attribute as a cell of a table has it: what has parts is JSON. */
export function toText(attribute: DeclaredAttribute, value: unknown): string {
  const { mapped } = attribute
  if (mapped) return toText(mapped.of, mapped.write(value))
  const plain = toPlain(attribute, value)
  return JSON_KINDS.has(attribute.kind) ? JSON.stringify(plain) : String(plain)
}

const TRUTHS: Readonly<Record<string, boolean>> = { true: true, false: false, 1: true, 0: false }

/** The text of a cell as an attribute takes it; what cannot be one stays a text, and is refused where it is written. */
export function fromText(attribute: DeclaredAttribute, text: string, column: string): unknown {
  const { kind, mapped } = attribute
  if (mapped) return backFrom(mapped, it => fromText(mapped.of, text, it), column)
  switch (kind) {
    case 'number':
    case 'integer':
      return numberOf(text.trim()) ?? text
    case 'boolean':
      return TRUTHS[text.trim().toLowerCase()] ?? text
    case 'bigint':
    case 'decimal':
    case 'date':
    case 'day':
    case 'yearMonth':
      return fromPlain(attribute, text.trim(), column)
    default:
      return JSON_KINDS.has(kind) ? fromJsonText(attribute, text, column) : fromPlain(attribute, text, column)
  }
}

function fromJsonText(attribute: DeclaredAttribute, text: string, column: string): unknown {
  let plain: unknown
  try {
    plain = JSON.parse(text)
  } catch {
    // Where it is any JSON, a text without quotes is a text.
    return attribute.kind === 'set' ? fromPlain(attribute, text, column) : text
  }
  checkNumbers(text, `${column}: `)
  return fromPlain(attribute, plain, column)
}
