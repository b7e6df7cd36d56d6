import type { AttributeValue } from '../dynamodb/attribute-value.js'
import type { AttributeKind, DeclaredAttribute, Surroundings } from './declared.js'
import { GraphError } from './error.js'
import { storedName } from './names.js'
import type { StandardProperties, StandardSchema } from './standard.js'
import { validate } from './validate.js'

export type Flag = 'optional' | 'default' | 'immutable' | 'derived'

/** An attribute of a node or an edge. Modifiers give a new one. */
export interface Attribute<T, F extends Flag = never> extends StandardSchema<T> {
  readonly declared: DeclaredAttribute
  /** in types only */
  readonly '~flag': F
  /** The attribute may be left out, and removed. */
  optional(): Attribute<T, F | 'optional'>
  /** Where none is given, this value, or what the function makes. */
  default(value: T | ((surroundings: Surroundings) => T)): Attribute<T, F | 'default'>
  /** Once written, it stays: an update of it is refused. */
  immutable(): Attribute<T, F | 'immutable'>
  /** Runs a validator (zod, valibot, arktype, …) before anything is sent; what it returns is stored. */
  check(schema: StandardSchema<unknown, T>): Attribute<T, F>
  /** The name under which it is stored, where that is not the declared one. */
  stored(name: string): Attribute<T, F>
}

/** What a kind of attribute is made of. */
export interface Codec {
  readonly kind: AttributeKind
  encode(value: unknown, path: string): AttributeValue
  decode(value: AttributeValue, path?: string): unknown
}

const PLAIN = {
  optional: false,
  immutable: false,
  derived: false,
  storedAs: undefined,
  fallback: undefined,
  absent: undefined,
  range: undefined,
  values: undefined,
  element: undefined,
  members: undefined,
} as const

export function attribute<T, F extends Flag = never>(declaration: Codec & Partial<DeclaredAttribute>): Attribute<T, F> {
  const declared: DeclaredAttribute = { ...PLAIN, ...declaration }
  const but = <G extends Flag>(change: Partial<DeclaredAttribute>) => attribute<T, G>({ ...declared, ...change })
  const made: Omit<Attribute<T, F>, '~flag'> = {
    declared,
    '~standard': standard<T>(declared),
    optional: () => but({ optional: true }),
    immutable: () => but({ immutable: true }),
    stored: name => but({ storedAs: storedName(name) }),
    check: schema => but({ encode: (value, path) => declared.encode(validate(schema, value, path), path) }),
    default(value) {
      if (typeof value === 'function') return but({ fallback: value as (surroundings: Surroundings) => T })
      // A constant that cannot be stored is refused here, not at the first write.
      declared.encode(value, 'default')
      return but({ fallback: () => value })
    },
  }
  return made as Attribute<T, F>
}

/** An attribute is itself a Standard Schema: it says whether a value could be stored. */
export function standard<T>(declared: DeclaredAttribute): StandardProperties<T, T> {
  return {
    version: 1,
    vendor: 'edgewise',
    validate(value) {
      try {
        if (value !== undefined || !declared.optional) declared.encode(value, 'value')
        return { value: value as T }
      } catch (error) {
        if (error instanceof GraphError) return { issues: [{ message: error.message }] }
        throw error
      }
    },
  }
}
