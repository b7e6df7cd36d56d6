import { type Attribute, createAttribute } from '../attribute.js'
import { declarationOf } from '../attributes/validated.js'
import { formatValue } from '../checks/assertions.js'
import { GraphError } from '../error.js'
import { callUserFunction, checkFunctions } from './user-functions.js'

/** A conversion between a value and its stored form. Both functions are synchronous. */
export interface Mapping<T, Stored, Input> {
  write(value: T): Input
  read(stored: Stored): T
}

/**
 * Declares an attribute whose values have a type of your own and are stored by another attribute. Conditions compare
 * the stored form. Keys and orders cannot contain it.
 *
 * @param of - the attribute that stores the values
 * @param mapping - converts a value to its stored form and back
 * @returns an attribute that is read and written as the mapped type
 * @throws {call.argument} if `mapping` lacks a function
 *
 * @example
 * ```ts
 * import { mapped, node, string } from 'edgewise'
 *
 * const url = mapped(string(), { write: (value: URL) => value.href, read: text => new URL(text) })
 * const page = node('page', { slug: string(), link: url }, { id: 'slug' })
 * ```
 */
export function mapped<T, Stored, Input>(
  of: Attribute<Stored, 'mapped', Input>,
  mapping: Mapping<T, Stored, Input>,
): Attribute<T, 'mapped'> {
  const declared = declarationOf(of, 'mapped()')
  checkFunctions('mapped()', mapping, 'write', 'read')
  const { write, read } = mapping
  return createAttribute({
    kind: 'mapped',
    mapped: {
      inner: declared,
      write: write as (value: unknown) => unknown,
      read: read as (stored: unknown) => unknown,
    },
    encode(value, path) {
      const mappedValue = callUserFunction(() => write(value as T), 'value.check', path)
      return declared.encode(mappedValue, path)
    },
    decode(stored, path = 'value') {
      const inner = declared.decode(stored, path) as Stored
      const value = callUserFunction(() => read(inner), 'stored.type', path)
      if (value === undefined)
        throw new GraphError(
          'stored.type',
          `${path}: read() returned undefined for ${formatValue(inner)}; return a value.`,
          {
            path,
            value: stored,
          },
        )
      return value
    },
  })
}
