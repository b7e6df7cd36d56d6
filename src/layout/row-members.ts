import type { DeclaredAttribute, DeclaredNode } from '../schema/declarations.js'
import { findEnd } from '../schema/edge/ends.js'
import { memoize } from './memoize.js'
import type { DeclaredType } from './slots.js'

/** A reference of a type to a node: an end of an edge, or the owner of a node. */
export interface Reference {
  readonly name: string
  readonly node: DeclaredNode
}

export function referencesOf(type: DeclaredType): readonly Reference[] {
  if (type.kind === 'edge') return type.ends
  return type.within ? [{ name: type.within.name, node: type.within }] : []
}

/** A member of a row: its place in the row, and the slot that stores it. */
export interface RowMember {
  readonly slot: string
  /** The path inside the row: its name, and the parts of a composite reference. */
  readonly segments: readonly string[]
  readonly attribute: DeclaredAttribute
  /** The path that errors show. */
  readonly path: string
  /** Whether it is part of a reference, which every row has. */
  readonly isReference: boolean
}

/** Returns the value at a path inside a row or an id. */
export function rowValueAt(row: unknown, segments: readonly string[]): unknown {
  let value = row
  for (const name of segments) value = (value as Readonly<Record<string, unknown>> | undefined)?.[name]
  return value
}

/** Returns the attribute that keys and reads use for a member: for a set, its element. */
export const elementAttributeOf = ({ attribute }: Pick<RowMember, 'attribute'>): DeclaredAttribute =>
  attribute.kind === 'set' ? attribute.element! : attribute

/** The members of a type's rows: references, attributes and carried copies, in this order. */
export const membersOf = memoize((type: DeclaredType): readonly RowMember[] => {
  const carried =
    type.kind === 'edge'
      ? type.carry.map(({ copyName, end, attribute }) => createMember(copyName, findEnd(type, end)!.node, attribute))
      : []
  const all = [
    ...referencesOf(type).flatMap(referenceMembersOf),
    ...Object.keys(type.attributes).map(name => createMember(name, type)),
    ...carried,
  ]
  return all.map(member => ({ ...member, path: `${type.name}.${member.segments.join('.')}` }))
})

const createMember = (name: string, { attributes }: DeclaredType, attribute = name): Omit<RowMember, 'path'> => ({
  slot: name,
  segments: [name],
  attribute: attributes[attribute]!,
  isReference: false,
})

/** The members that identify a row: references, then the key of an edge or the id of a node. */
export const identityMembersOf = (type: DeclaredType): Omit<RowMember, 'path'>[] => [
  ...referencesOf(type).flatMap(referenceMembersOf),
  ...(type.kind === 'edge' ? type.key : type.id).map(name => createMember(name, type)),
]

/** The members of a reference. An id of one part is a single value, and an id of several parts is an object. */
export function referenceMembersOf({ name, node }: Reference): Omit<RowMember, 'path'>[] {
  const parts = identityMembersOf(node)
  return parts.map(({ slot, segments, ...part }) =>
    parts.length === 1
      ? { ...part, slot: name, segments: [name], isReference: true }
      : { ...part, slot: `${name}.${slot}`, segments: [name, ...segments], isReference: true },
  )
}
