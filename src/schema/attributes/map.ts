import type { AttributeValue } from '../../dynamodb/attribute-value.js'
import { type Attribute, createTypedAttribute } from '../attribute.js'
import { invalidValueError, isObject } from '../checks/assertions.js'
import { checkStoredNames } from '../checks/names.js'
import type { DeclaredAttributes } from '../declarations.js'
import { GraphError } from '../error.js'
import { mapValues } from '../map-values.js'
import type { AttributeRow, Attributes, MapInput, Simplify } from '../types/row.js'
import type { StorableFaults } from '../types/storable.js'
import { elementDeclarationOf } from './validated.js'

/** An object with declared members. They have names of any kind, since they are in no key. */
export function map<A extends Attributes>(
  memberSchemas: A & StorableFaults<A>,
): Attribute<Simplify<AttributeRow<A>>, never, Simplify<MapInput<A>>> {
  const members: DeclaredAttributes = mapValues(memberSchemas, (member, name) =>
    elementDeclarationOf(member, 'map', name),
  )
  checkStoredNames(members, 'a map')
  return createTypedAttribute(
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
        const memberValue = value[name]
        const memberPath = `${path}.${name}`
        if (memberValue === undefined && optional) continue
        // A validator may have a default of its own; anything else that is missing is missed.
        if (memberValue === undefined && kind !== 'validated')
          throw invalidValueError(memberPath, 'a value, or declare it optional()', memberValue, 'value.member')
        M[storedAs] = encode(memberValue, memberPath)
      }
      return { M }
    },
    (stored, path) =>
      mapValues(members, ({ storedAs, decode }, name) => {
        const memberValue = stored[storedAs ?? name]
        return memberValue && decode(memberValue, `${path}.${name}`)
      }),
    { members },
  )
}
