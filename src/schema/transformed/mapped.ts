import { type Attribute, attribute } from '../attribute.js'
import { declaredOf } from '../attributes/validated.js'
import { GraphError } from '../error.js'
import { shown } from '../refusal.js'
import { attempt, checkFunctions } from './attempt.js'

/** How a value becomes another that is stored, and back. Both answer at once. */
export interface Mapping<T, Stored, Given> {
  write(value: T): Given
  read(stored: Stored): T
}

/**
 * An attribute whose values are of a type of your own, and are stored as another attribute stores them. Conditions
 * compare what is stored; keys and orders are not made of it.
 */
export function mapped<T, Stored, Given>(
  of: Attribute<Stored, 'mapped', Given>,
  mapping: Mapping<T, Stored, Given>,
): Attribute<T, 'mapped'> {
  const declared = declaredOf(of, 'mapped()')
  checkFunctions('mapped()', mapping, 'write', 'read')
  const { write, read } = mapping
  return attribute({
    kind: 'mapped',
    mapped: { of: declared, write: write as (value: unknown) => unknown, read: read as (stored: unknown) => unknown },
    encode(value, path) {
      const given = attempt(() => write(value as T), 'value.check', path)
      return declared.encode(given, path)
    },
    decode(stored, path = 'value') {
      const inner = declared.decode(stored, path) as Stored
      const value = attempt(() => read(inner), 'stored.type', path)
      if (value === undefined)
        throw new GraphError('stored.type', `${path}: read() made nothing of ${shown(inner)}`, { path, value: stored })
      return value
    },
  })
}
