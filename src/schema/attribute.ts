import type { AttributeType, AttributeValue } from '../dynamodb/attribute-value.js'
import type { Code } from './codes.js'
import type { AttributeKind, DeclaredAttribute, Surroundings } from './declared.js'
import { GraphError } from './error.js'
import { storedName } from './names.js'
import { wrongStored, wrongValue } from './refusal.js'
import type { StandardSchema } from './standard.js'
import { validate } from './validate.js'

export type Flag = 'optional' | 'default' | 'immutable' | 'derived' | 'mapped'

/** An attribute of a node or an edge: read as `T`, given as `Given`. Modifiers give a new one. */
export interface Attribute<T, F extends Flag = never, Given = T> extends StandardSchema<Given, T> {
  readonly declared: DeclaredAttribute
  /** in types only */
  readonly '~flag': F
  /** The attribute may be left out, and removed. */
  optional(): Attribute<T, F | 'optional', Given>
  /** Where none is given, this value, or what the function makes. */
  default(value: Given | ((surroundings: Surroundings) => Given)): Attribute<T, F | 'default', Given>
  /** Once written, it stays: an update of it is refused. */
  immutable(): Attribute<T, F | 'immutable', Given>
  /** Runs a validator (zod, valibot, arktype, …) before anything is sent; what it returns is stored. */
  check(schema: StandardSchema<unknown, Given>): Attribute<T, F, Given>
  /** The name under which it is stored, where that is not the declared one. */
  stored(name: string): Attribute<T, F, Given>
}

type Declaration = Pick<DeclaredAttribute, 'kind' | 'encode' | 'decode'> & Partial<DeclaredAttribute>

export function attribute<T, F extends Flag = never, Given = T>(declaration: Declaration): Attribute<T, F, Given> {
  const declared: DeclaredAttribute = { optional: false, immutable: false, derived: false, ...declaration }
  const but = <G extends Flag>(change: Partial<DeclaredAttribute>) => attribute<T, G, Given>({ ...declared, ...change })
  const made: Omit<Attribute<T, F, Given>, '~flag'> = {
    declared,
    '~standard': { version: 1, vendor: 'edgewise', validate: value => checked(declared, value as T) },
    optional: () => but({ optional: true }),
    immutable: () => but({ immutable: true }),
    stored: name => but({ storedAs: storedName(name) }),
    check: schema => but({ encode: (value, path) => declared.encode(validate(schema, value, path), path) }),
    default(value) {
      if (typeof value === 'function') return but({ fallback: value as (surroundings: Surroundings) => Given })
      // A constant that cannot be stored is refused here, not at the first write.
      declared.encode(value, 'default')
      return but({ fallback: () => value })
    },
  }
  return made as Attribute<T, F, Given>
}

/** An attribute is itself a Standard Schema: it says whether a value could be stored. */
function checked<T>(declared: DeclaredAttribute, value: T) {
  try {
    if (value !== undefined || !declared.optional) declared.encode(value, 'value')
    return { value }
  } catch (error) {
    if (error instanceof GraphError) return { issues: [error] }
    throw error
  }
}

/**
 * A kind that is stored as one type of DynamoDB: what is stored of a value, and the value that is read from that; either
 * is undefined where it is not as expected.
 */
export function kept<T, F extends Flag = never, Given = T, K extends AttributeType = AttributeType>(
  kind: AttributeKind,
  type: K,
  expected: string,
  write: (value: unknown, path: string) => AttributeValue | undefined,
  read: (stored: NonNullable<AttributeValue[K]>, path: string) => unknown = stored => stored,
  more?: Partial<DeclaredAttribute>,
  code?: Code,
): Attribute<T, F, Given> {
  return attribute({
    kind,
    type,
    encode(value, path) {
      const stored = write(value, path)
      if (!stored) throw wrongValue(path, expected, value, code)
      return stored
    },
    decode(value, path = 'value') {
      const stored = value[type]
      const found = stored === undefined ? stored : read(stored as NonNullable<AttributeValue[K]>, path)
      if (found === undefined) throw wrongStored(path, expected, value)
      return found
    },
    ...more,
  })
}
