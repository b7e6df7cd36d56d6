import { type Attribute, kept } from '../attribute.js'
import type { StandardSchema } from '../standard.js'
import type { StorableFault } from '../types/storable.js'
import { declaredInside } from './validated.js'

/** An array, each element of the given kind. */
export function list<T, Given, X = unknown>(
  of: StandardSchema<Given, T> & X & StorableFault<X>,
): Attribute<T[], never, readonly Given[]> {
  const element = declaredInside(of, 'list')
  return kept(
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
