import type { DeclaredAttribute, DeclaredNode } from '../schema/declared.js'
import { endNamed } from '../schema/ends.js'
import { once } from './once.js'
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
export interface Member {
  readonly slot: string
  /** From the row down: its name, and where a reference has several parts theirs. */
  readonly at: readonly string[]
  readonly attribute: DeclaredAttribute
  /** What errors call it. */
  readonly path: string
  /** Whether it is a part of a reference, which no row is without. */
  readonly referred: boolean
}

/** What a row, or an identity, has there. */
export function valueAt(row: unknown, at: readonly string[]): unknown {
  let value = row
  for (const name of at) value = (value as Readonly<Record<string, unknown>> | undefined)?.[name]
  return value
}

/** What a key, or a read, has of a member: of a set one element. */
export const partOf = ({ attribute }: Pick<Member, 'attribute'>): DeclaredAttribute =>
  attribute.kind === 'set' ? attribute.element! : attribute

/** The members of a type's rows, in order: references, attributes, what is carried. */
export const membersOf = once((type: DeclaredType): readonly Member[] => {
  const carried =
    type.kind === 'edge'
      ? type.carry.map(({ as, end, attribute }) => member(as, endNamed(type, end)!.node, attribute))
      : []
  const all = [
    ...referencesOf(type).flatMap(referenceMembers),
    ...Object.keys(type.attributes).map(name => member(name, type)),
    ...carried,
  ]
  return all.map(each => ({ ...each, path: `${type.name}.${each.at.join('.')}` }))
})

const member = (name: string, { attributes }: DeclaredType, attribute = name): Omit<Member, 'path'> => ({
  slot: name,
  at: [name],
  attribute: attributes[attribute]!,
  referred: false,
})

/** What tells one of a type from all others: references, then the key of an edge or the id of a node. */
export const tellingMembers = (type: DeclaredType): Omit<Member, 'path'>[] => [
  ...referencesOf(type).flatMap(referenceMembers),
  ...(type.kind === 'edge' ? type.key : type.id).map(name => member(name, type)),
]

/** A reference is the id of its node: of one part that value, of several an object. */
export function referenceMembers({ name, node }: Reference): Omit<Member, 'path'>[] {
  const parts = tellingMembers(node)
  return parts.map(({ slot, at, ...part }) =>
    parts.length === 1
      ? { ...part, slot: name, at: [name], referred: true }
      : { ...part, slot: `${name}.${slot}`, at: [name, ...at], referred: true },
  )
}
