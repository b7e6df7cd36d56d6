import type { AttributeValue } from '../dynamodb/attribute-value.js'
import { GraphError } from './error.js'

const SHOWN_CHARACTERS = 60

/** A value in a message: short, and never a failure of its own. */
export function shown(value: unknown): string {
  if (typeof value === 'string')
    return `'${value.length > SHOWN_CHARACTERS ? `${value.slice(0, SHOWN_CHARACTERS)}…` : value}'`
  if (typeof value === 'object' && value !== null) return value.constructor?.name ?? 'an object'
  return typeof value === 'function' ? 'a function' : Object.is(value, -0) ? '-0' : String(value)
}

export function wrongType(path: string, expected: string, value: unknown): GraphError {
  return new GraphError('value.type', `${path}: give ${expected} instead of ${shown(value)}`, { path, value })
}

export function wrongStored(path: string, expected: string, value: AttributeValue): GraphError {
  const found = Object.keys(value).join(', ')
  return new GraphError('stored.type', `${path}: the stored value has the type ${found}, which is not ${expected}`, {
    path,
    value,
  })
}
