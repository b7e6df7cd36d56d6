import type { AttributeType, AttributeValue } from '../dynamodb/attribute-value.js'
import { invalidValueError, storedTypeError } from './checks/assertions.js'
import { checkStoredName } from './checks/names.js'
import type { Code } from './codes.js'
import type { AttributeKind, DeclaredAttribute, Environment } from './declarations.js'
import { GraphError } from './error.js'
import { runValidator } from './run-validator.js'
import type { StandardSchema } from './standard-schema.js'

export type AttributeFlag = 'optional' | 'default' | 'immutable' | 'derived' | 'mapped'

/** An attribute of a node or an edge. It is read as `T` and written as `Input`. Its methods return a changed copy. */
export interface Attribute<T, F extends AttributeFlag = never, Input = T> extends StandardSchema<Input, T> {
  readonly declared: DeclaredAttribute
  /** Exists in types only. */
  readonly '~flag': F
  /** Allows rows without the attribute, and its removal. */
  optional(): Attribute<T, F | 'optional', Input>
  /** Sets the value that a create or put writes if the row has none: a constant, or the result of a function. */
  default(value: Input | ((environment: Environment) => Input)): Attribute<T, F | 'default', Input>
  /** Rejects updates of the attribute. */
  immutable(): Attribute<T, F | 'immutable', Input>
  /** Runs a validator (zod, valibot, arktype, …) before a request is sent, and stores its output. */
  check(schema: StandardSchema<unknown, Input>): Attribute<T, F, Input>
  /** Sets the name of the attribute in stored items, if it differs from the declared name. */
  stored(name: string): Attribute<T, F, Input>
}

type AttributeDeclaration = Pick<DeclaredAttribute, 'kind' | 'encode' | 'decode'> & Partial<DeclaredAttribute>

export function createAttribute<T, F extends AttributeFlag = never, Input = T>(
  declaration: AttributeDeclaration,
): Attribute<T, F, Input> {
  const declared: DeclaredAttribute = { optional: false, immutable: false, derived: false, ...declaration }
  const withChanges = <G extends AttributeFlag>(changes: Partial<DeclaredAttribute>) =>
    createAttribute<T, G, Input>({ ...declared, ...changes })
  const result: Omit<Attribute<T, F, Input>, '~flag'> = {
    declared,
    '~standard': { version: 1, vendor: 'edgewise', validate: value => toStandardResult(declared, value as T) },
    optional: () => withChanges({ optional: true }),
    immutable: () => withChanges({ immutable: true }),
    stored: name => withChanges({ storedAs: checkStoredName(name) }),
    check: schema =>
      withChanges({
        encode: (value, path) => declared.encode(runValidator(schema, value, path), path),
        encodeUnchecked: declared.encodeUnchecked ?? declared.encode,
      }),
    default(value) {
      if (typeof value === 'function') return withChanges({ fallback: value as (environment: Environment) => Input })
      // A constant that cannot be stored is rejected at the declaration, not at the first write.
      declared.encode(value, 'default')
      return withChanges({ fallback: () => value })
    },
  }
  return result as Attribute<T, F, Input>
}

/** Validates a value as a Standard Schema: the result reports whether the value could be stored. */
function toStandardResult<T>(declared: DeclaredAttribute, value: T) {
  try {
    if (value !== undefined || !declared.optional) declared.encode(value, 'value')
    return { value }
  } catch (error) {
    if (error instanceof GraphError) return { issues: [error] }
    throw error
  }
}

/**
 * Creates an attribute that is stored as one DynamoDB type. `write` and `read` return undefined for an invalid value.
 */
export function createTypedAttribute<
  T,
  F extends AttributeFlag = never,
  Input = T,
  K extends AttributeType = AttributeType,
>(
  kind: AttributeKind,
  type: K,
  expected: string,
  write: (value: unknown, path: string) => AttributeValue | undefined,
  read: (stored: NonNullable<AttributeValue[K]>, path: string) => unknown = stored => stored,
  settings?: Partial<DeclaredAttribute>,
  code?: Code,
): Attribute<T, F, Input> {
  return createAttribute({
    kind,
    type,
    encode(value, path) {
      const stored = write(value, path)
      if (!stored) throw invalidValueError(path, expected, value, code)
      return stored
    },
    decode(value, path = 'value') {
      const stored = value[type]
      const decoded = stored === undefined ? stored : read(stored as NonNullable<AttributeValue[K]>, path)
      if (decoded === undefined) throw storedTypeError(path, expected, value)
      return decoded
    },
    ...settings,
  })
}
