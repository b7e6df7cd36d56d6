import type { DeclaredAttribute, DeclaredNode } from '../schema/declarations.js'
import { findEnd } from '../schema/edge/ends.js'
import { memoize } from './memoize.js'
import type { DeclaredType } from './slots.js'

/** A node that a type refers to: an end of an edge, or the owner of a node. */
export interface Reference {
  readonly name: string
  readonly node: DeclaredNode
}

export function referencesOf(type: DeclaredType): readonly Reference[] {
  if (type.kind === 'edge') return type.ends
  return type.within ? [{ name: type.within.name, node: type.within }] : []
}

/** A value of a row: where it stands there, and the slot that it is stored in. */
export interface RowMember {
  readonly slot: string
  /** From the row down: its name, and where a reference has several parts theirs. */
  readonly segments: readonly string[]
  readonly attribute: DeclaredAttribute
  /** What errors call it. */
  readonly path: string
  /** Whether it is a part of a reference, which no row is without. */
  readonly isReference: boolean
}

/** What a row, or an identity, has there. */
export function rowValueAt(row: unknown, segments: readonly string[]): unknown {
  let value = row
  for (const name of segments) value = (value as Readonly<Record<string, unknown>> | undefined)?.[name]
  return value
}

/** What a key, or a read, has of a member: of a set one element. */
export const elementAttributeOf = ({ attribute }: Pick<RowMember, 'attribute'>): DeclaredAttribute =>
  attribute.kind === 'set' ? attribute.element! : attribute

/** The members of a type's rows, in order: references, attributes, what is carried. */
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
  return all.map(each => ({ ...each, path: `${type.name}.${each.segments.join('.')}` }))
})

const createMember = (name: string, { attributes }: DeclaredType, attribute = name): Omit<RowMember, 'path'> => ({
  slot: name,
  segments: [name],
  attribute: attributes[attribute]!,
  isReference: false,
})

/** What tells one of a type from all others: references, then the key of an edge or the id of a node. */
export const identityMembersOf = (type: DeclaredType): Omit<RowMember, 'path'>[] => [
  ...referencesOf(type).flatMap(referenceMembersOf),
  ...(type.kind === 'edge' ? type.key : type.id).map(name => createMember(name, type)),
]

/** A reference is the id of its node: of one part that value, of several an object. */
export function referenceMembersOf({ name, node }: Reference): Omit<RowMember, 'path'>[] {
  const parts = identityMembersOf(node)
  return parts.map(({ slot, segments, ...part }) =>
    parts.length === 1
      ? { ...part, slot: name, segments: [name], isReference: true }
      : { ...part, slot: `${name}.${slot}`, segments: [name, ...segments], isReference: true },
  )
}
