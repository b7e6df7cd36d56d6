import type { AttributeValue } from '../dynamodb/attribute-value.js'
import type { Code } from './codes.js'
import { GraphError } from './error.js'

const SHOWN_CHARACTERS = 60

/** A value in a message: short, and never a failure of its own. */
export function shown(value: unknown): string {
  if (typeof value === 'string')
    return `'${value.length > SHOWN_CHARACTERS ? `${value.slice(0, SHOWN_CHARACTERS)}…` : value}'`
  if (Object(value) === value && !(value instanceof Date)) return (value as object).constructor?.name ?? 'an object'
  return Object.is(value, -0) ? '-0' : String(value)
}

/** What is wrong with a declared type: throws where it is. */
export function refuse(type: string, wrong: unknown, code: Code, name: string, fault: string): void {
  if (wrong) throw new GraphError(code, `${type}: ${fault}`, { type, name })
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A whole number that JavaScript holds exactly. */
export const isWhole = (value: unknown): value is number => Number.isSafeInteger(value)

/** A whole number from 1. */
export const isCount = (value: unknown): boolean => isWhole(value) && value > 0

const LISTS = /^(key|unique|in|order)$/
const OBJECTS = /^(within|carry|count|sum|embed|where|onDelete)$/

/**
 * Refuses an option that would be overlooked, or has another form: what a compiler would refuse. `known` has the names of
 * those that there are.
 */
export function checkOptions(type: string, given: object, known: string): void {
  refuse(type, !isObject(given), 'call.given', '', `give options by name, of ${known}`)
  for (const [name, value] of Object.entries(given)) {
    const isKnown = known.split(', ').includes(name)
    refuse(type, !isKnown, 'option.unknown', name, `there is no option '${name}', only ${known}`)
    if (value === undefined) continue
    refuse(type, LISTS.test(name) && !Array.isArray(value), 'call.given', name, `give '${name}' as a list`)
    refuse(type, OBJECTS.test(name) && !isObject(value), 'call.given', name, `give '${name}' as an object`)
  }
}

export function wrongValue(path: string, expected: string, value: unknown, code: Code = 'value.type'): GraphError {
  return new GraphError(code, `${path}: ${valueFault(value)}; give ${expected}${orNothing(value)}.`, { path, value })
}

function valueFault(value: unknown): string {
  if (value === undefined) return 'a value is missing'
  return value === null ? 'null is not a value' : `${shown(value)} is not accepted`
}

/** In DynamoDB an attribute that has no value is absent. */
const orNothing = (value: unknown): string => (value === null ? ', leave it out, or use remove() in an update' : '')

export function wrongStored(path: string, expected: string, value: AttributeValue): GraphError {
  const found = Object.keys(value).join()
  return new GraphError('stored.type', `${path}: ${found} is stored, but declared is ${expected}`, { path, value })
}
