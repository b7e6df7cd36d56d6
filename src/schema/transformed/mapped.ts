import { type Attribute, createAttribute } from '../attribute.js'
import { declarationOf } from '../attributes/validated.js'
import { formatValue } from '../checks/assertions.js'
import { GraphError } from '../error.js'
import { callUserFunction, checkFunctions } from './user-functions.js'

/** How a value becomes another that is stored, and back. Both answer at once. */
export interface Mapping<T, Stored, Input> {
  write(value: T): Input
  read(stored: Stored): T
}

/**
 * An attribute whose values are of a type of your own, and are stored as another attribute stores them. Conditions
 * compare what is stored; keys and orders are not made of it.
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
        throw new GraphError('stored.type', `${path}: read() made nothing of ${formatValue(inner)}`, {
          path,
          value: stored,
        })
      return value
    },
  })
}
