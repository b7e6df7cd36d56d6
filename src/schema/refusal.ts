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

/** Refuses an option that would be overlooked: a slip of the pen. `known` has the names of those that there are. */
export function checkOptions(type: string, given: object, known: string): void {
  const name = Object.keys(given).find(each => !known.split(', ').includes(each))
  refuse(type, name !== undefined, 'option.unknown', name!, `there is no option '${name}', only ${known}`)
}

export function wrongValue(path: string, expected: string, value: unknown, code: Code = 'value.type'): GraphError {
  return new GraphError(code, `${path}: give ${expected} instead of ${shown(value)}`, { path, value })
}

export function wrongStored(path: string, expected: string, value: AttributeValue): GraphError {
  const found = Object.keys(value).join()
  return new GraphError('stored.type', `${path}: ${found} is stored, but declared is ${expected}`, { path, value })
}
