import type { AttributeValue } from '../dynamodb/attribute-value.js'
import { type Member, membersOf, partOf, valueAt } from '../layout/members.js'
import { once } from '../layout/once.js'
import { type DeclaredType, identityOf } from '../layout/slots.js'
import { GraphError } from '../schema/error.js'
import type { Slots } from './plan.js'

export { type Member, membersOf, partOf, referencesOf } from '../layout/members.js'

/** The members that tell a node or an edge from all others, as they stand in an identity: a single id is that value. */
export const identityMembers = once((type: DeclaredType): readonly Member[] => {
  const own = identityOf(type).map(slot => membersOf(type).find(member => member.slot === slot)!)
  return own.length === 1 ? [{ ...own[0]!, at: [] }] : own
})

export function membersNamed(type: DeclaredType, name: string): readonly Member[] {
  const members = membersOf(type).filter(({ at }) => at[0] === name)
  if (members[0]) return members
  throw new GraphError('read.part', `${type.name} has no '${name}': ${memberNames(type)}`, { type: type.name, name })
}

/** What a row of the type can have, for messages. */
export const memberNames = (type: DeclaredType): string =>
  `it has ${[...new Set(membersOf(type).map(({ at }) => at[0]))].join(', ')}`

/** The slots of what is given of these members, of which all may have to be. */
export function valuesWithin(members: readonly Member[], given: unknown, isWhole = false): Slots {
  const values: Record<string, AttributeValue> = {}
  for (const member of members) {
    const value = valueAt(given, member.at)
    if (value !== undefined) values[member.slot] = partOf(member).encode(value, member.path)
    else if (isWhole) throw new GraphError('key.missing', `${member.path} is missing: give it`, { path: member.path })
  }
  return values
}

/** The slots of members of a row: references, attributes, single elements of sets. */
export const partValues = (type: DeclaredType, row: Readonly<Record<string, unknown>>): Slots =>
  valuesWithin(
    Object.keys(row).flatMap(name => membersNamed(type, name)),
    row,
  )
