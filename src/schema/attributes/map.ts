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

/**
 * Declares an object with declared members. Members may have any name, because they are not part of keys.
 *
 * @param memberSchemas - the attribute, or the Standard Schema validator, of each member
 * @throws {attribute.member} if a member has a modifier that only attributes of nodes and edges can have
 *
 * @example
 * ```ts
 * import { map, node, string } from 'edgewise'
 *
 * const address = map({ street: string(), city: string().optional() })
 * const user = node('user', { name: string(), address }, { id: 'name' })
 * ```
 */
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
        // Only a validator may have its own default; every other missing member is an error.
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
