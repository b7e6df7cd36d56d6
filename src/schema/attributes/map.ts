import type { AttributeValue } from '../../dynamodb/attribute-value.js'
import { type Attribute, kept } from '../attribute.js'
import type { DeclaredAttributes } from '../declared.js'
import { GraphError } from '../error.js'
import { mapValues } from '../map-values.js'
import { checkStoredNames } from '../names.js'
import { isObject, wrongValue } from '../refusal.js'
import type { Attributes, Flat, GivenRow, Row } from '../types/row.js'
import type { StorableFaults } from '../types/storable.js'
import { declaredInside } from './validated.js'

/** An object with declared members. They have names of any kind, since they are in no key. */
export function map<A extends Attributes>(
  given: A & StorableFaults<A>,
): Attribute<Flat<Row<A>>, never, Flat<GivenRow<A>>> {
  const members: DeclaredAttributes = mapValues(given, (member, name) => declaredInside(member, 'map', name))
  checkStoredNames(members, 'a map')
  return kept(
    'map',
    'M',
    'an object',
    (value, path) => {
      if (!isObject(value)) return undefined
      for (const name of Object.keys(value))
        if (!Object.hasOwn(members, name))
          throw new GraphError(
            'value.member',
            `${path}.${name}: the map does not declare this member; give only ${Object.keys(members).join(', ')}.`,
            { path: `${path}.${name}`, value: value[name] },
          )
      const M: Record<string, AttributeValue> = {}
      for (const [name, { kind, optional, storedAs = name, encode }] of Object.entries(members)) {
        const each = value[name]
        const at = `${path}.${name}`
        if (each === undefined && optional) continue
        // A validator may have a default of its own; anything else that is missing is missed.
        if (each === undefined && kind !== 'validated')
          throw wrongValue(at, 'a value, or declare it optional()', each, 'value.member')
        M[storedAs] = encode(each, at)
      }
      return { M }
    },
    (stored, path) =>
      mapValues(members, ({ storedAs, decode }, name) => {
        const each = stored[storedAs ?? name]
        return each && decode(each, `${path}.${name}`)
      }),
    { members },
  )
}
