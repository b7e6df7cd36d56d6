import { createTypedAttribute } from '../attribute.js'
import { isObject } from '../checks/assertions.js'
import type { DeclaredAttribute } from '../declarations.js'
import { mapValues } from '../map-values.js'
import type { StandardSchema } from '../standard-schema.js'
import type { AttributeRow, Attributes, Simplify } from '../types/row.js'
import type { StorableFaults } from '../types/storable.js'
import { map } from './map.js'

/** A few attributes of each neighbour, in the node's own item, that an edge keeps by its `embed`. It is read, never written. */
export interface Embedded<Entry> extends StandardSchema<Readonly<Record<string, Entry>>> {
  readonly declared: DeclaredAttribute
  readonly '~flag': 'derived'
  readonly '~entry': Entry
}

/** A bounded map that edges keep: neighbours, within the item of the node. */
export function embedded<A extends Attributes>(entry: A & StorableFaults<A>): Embedded<Simplify<AttributeRow<A>>> {
  const { members, encode, decode } = map(entry).declared
  const attribute: unknown = createTypedAttribute(
    'embedded',
    'M',
    'an object of entries',
    (value, path) =>
      isObject(value) ? { M: mapValues(value, (each, id) => encode(each, `${path}.${id}`)) } : undefined,
    (stored, path) => mapValues(stored, (each, id) => decode(each, `${path}.${id}`)),
    { members, derived: true, valueIfAbsent: () => ({}) },
  )
  return attribute as Embedded<Simplify<AttributeRow<A>>>
}
