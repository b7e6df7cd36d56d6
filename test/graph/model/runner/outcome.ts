import { GraphError } from '../../../../src/index.js'
import { PatchOperation } from '../../../../src/schema/patch-operations.js'
import type { Row } from '../reference/identity.js'

/** The result of a call: a value, or a GraphError code. Any other error fails the test. */
export type Outcome<T> =
  | { readonly value: T; readonly code?: undefined }
  | { readonly code: string; readonly error: GraphError }

export async function outcomeOf<T>(begin: () => PromiseLike<T>): Promise<Outcome<T>> {
  try {
    return { value: await begin() }
  } catch (error) {
    if (error instanceof GraphError) return { code: error.code, error }
    throw error
  }
}

/** Formats plain data, including dates, sets and operations. */
export function shown(value: unknown): string {
  if (value instanceof Date) return `new Date('${value.toISOString()}')`
  if (value instanceof Set) return `new Set(${shown([...value])})`
  if (value instanceof PatchOperation) return `${value.kind}(${value.value === undefined ? '' : shown(value.value)})`
  if (Array.isArray(value)) return `[${value.map(shown).join(', ')}]`
  if (typeof value === 'function') return 'function'
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'undefined'
  const { name, condition, order, type } = value as {
    name?: string
    condition?: unknown
    order?: unknown
    type?: Row
  }
  if (typeof condition === 'function') return `'${name}'`
  if (order !== undefined && type) return `'${type.name}.by.${name}'`
  const entries = Object.entries(value)
  return `{ ${entries.map(([member, each]) => `${member}: ${shown(each)}`).join(', ')} }`
}
