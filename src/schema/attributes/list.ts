import { type Attribute, createTypedAttribute } from '../attribute.js'
import type { StandardSchema } from '../standard-schema.js'
import type { StorableFault } from '../types/storable.js'
import { elementDeclarationOf } from './validated.js'

/** An array, each element of the given kind. */
export function list<T, Input, X = unknown>(
  of: StandardSchema<Input, T> & X & StorableFault<X>,
): Attribute<T[], never, readonly Input[]> {
  const element = elementDeclarationOf(of, 'list')
  return createTypedAttribute(
    'list',
    'L',
    'an array',
    (value, path) =>
      // Array.from meets the holes of a sparse array, map would not.
      Array.isArray(value) ? { L: Array.from(value, (each, at) => element.encode(each, `${path}[${at}]`)) } : undefined,
    (stored, path) => stored.map((each, at) => element.decode(each, `${path}[${at}]`)),
    { element },
  )
}
