import { createTypedAttribute } from '../attribute.js'
import { isObject } from '../checks/assertions.js'
import type { DeclaredAttribute } from '../declarations.js'
import { mapValues } from '../map-values.js'
import type { StandardSchema } from '../standard-schema.js'
import type { AttributeRow, Attributes, Simplify } from '../types/row.js'
import type { StorableFaults } from '../types/storable.js'
import { map } from './map.js'

/**
 * A map in the item of a node with a few attributes of each neighbor. An edge maintains it by `embed`. It is read and
 * never written.
 */
export interface Embedded<Entry> extends StandardSchema<Readonly<Record<string, Entry>>> {
  readonly declared: DeclaredAttribute
  readonly '~flag': 'derived'
  readonly '~entry': Entry
}

/**
 * Declares a bounded map of neighbors inside the item of a node. Edges maintain it by their option `embed`.
 *
 * @param entry - the attributes of the edge that each entry holds
 * @returns an attribute that is `{}` at first, and that writes never give
 *
 * @example
 * ```ts
 * import { edge, embedded, node, string } from 'edgewise'
 *
 * const role = string()
 * const team = node('team', { name: string(), members: embedded({ role }) }, { id: 'name' })
 * const user = node('user', { email: string() }, { id: 'email' })
 * const joins = edge('joins', { team, user }, { role }, { embed: { team: { into: 'members', max: 20 } } })
 * ```
 */
export function embedded<A extends Attributes>(entry: A & StorableFaults<A>): Embedded<Simplify<AttributeRow<A>>> {
  const { members, encode, decode } = map(entry).declared
  const attribute: unknown = createTypedAttribute(
    'embedded',
    'M',
    'an object of entries',
    (value, path) =>
      isObject(value) ? { M: mapValues(value, (entryValue, id) => encode(entryValue, `${path}.${id}`)) } : undefined,
    (stored, path) => mapValues(stored, (entryValue, id) => decode(entryValue, `${path}.${id}`)),
    { members, derived: true, valueIfAbsent: () => ({}) },
  )
  return attribute as Embedded<Simplify<AttributeRow<A>>>
}
