import { type Attribute, createTypedAttribute } from '../attribute.js'
import type { StandardSchema } from '../standard-schema.js'
import type { StorableFault } from '../types/storable.js'
import { elementDeclarationOf } from './validated.js'

/**
 * Declares an array.
 *
 * @param of - the attribute, or the Standard Schema validator, of the elements
 * @throws {attribute.element} if the element has a modifier that only attributes of nodes and edges can have
 *
 * @example
 * ```ts
 * import { list, node, string } from 'edgewise'
 *
 * const recipe = node('recipe', { title: string(), steps: list(string()) }, { id: 'title' })
 * ```
 */
export function list<T, Input, X = unknown>(
  of: StandardSchema<Input, T> & X & StorableFault<X>,
): Attribute<T[], never, readonly Input[]> {
  const element = elementDeclarationOf(of, 'list')
  return createTypedAttribute(
    'list',
    'L',
    'an array',
    (value, path) =>
      // Array.from visits the holes of a sparse array, and map() does not.
      Array.isArray(value) ? { L: Array.from(value, (item, at) => element.encode(item, `${path}[${at}]`)) } : undefined,
    (stored, path) => stored.map((item, at) => element.decode(item, `${path}[${at}]`)),
    { element },
  )
}
