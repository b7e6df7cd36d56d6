import type { AttributeValue } from '../dynamodb/attribute-value.js'
import { memoize } from '../layout/memoize.js'
import { elementAttributeOf, membersOf, type RowMember, rowValueAt } from '../layout/row-members.js'
import { type DeclaredType, identitySlotsOf } from '../layout/slots.js'
import { GraphError } from '../schema/error.js'
import type { SlotValues } from './plan.js'

export { elementAttributeOf, membersOf, type RowMember, referencesOf } from '../layout/row-members.js'

/** The members that identify a node or an edge. An identity with a single id is the bare value. */
export const identityMembers = memoize((type: DeclaredType): readonly RowMember[] => {
  const own = identitySlotsOf(type).map(slot => membersOf(type).find(member => member.slot === slot)!)
  return own.length === 1 ? [{ ...own[0]!, segments: [] }] : own
})

export function membersByName(type: DeclaredType, name: string): readonly RowMember[] {
  const members = membersOf(type).filter(({ segments }) => segments[0] === name)
  if (members[0]) return members
  throw new GraphError(
    'read.part',
    `${type.name}: '${name}' is not part of its rows; use one of ${describeMembers(type)}.`,
    {
      type: type.name,
      name,
    },
  )
}

/** Lists the members of a row of this type, for error messages. */
export const describeMembers = (type: DeclaredType): string =>
  [...new Set(membersOf(type).map(({ segments }) => segments[0]))].join(', ')

/** Encodes the given members as slots. Throws on a missing member when `isWhole` is true. */
export function encodeMembers(members: readonly RowMember[], input: unknown, isWhole = false): SlotValues {
  const values: Record<string, AttributeValue> = {}
  for (const member of members) {
    const value = rowValueAt(input, member.segments)
    if (value !== undefined) values[member.slot] = elementAttributeOf(member).encode(value, member.path)
    else if (isWhole)
      throw new GraphError('key.missing', `${member.path}: a value is missing; give it.`, { path: member.path })
  }
  return values
}

/** Encodes members of a row as slots: references, attributes and single set elements. */
export const encodeParts = (type: DeclaredType, row: Readonly<Record<string, unknown>>): SlotValues =>
  encodeMembers(
    Object.keys(row).flatMap(name => membersByName(type, name)),
    row,
  )
