import type { AttributeValue } from '../dynamodb/attribute-value.js'
import type { DeclaredType } from '../layout/slots.js'
import type { DeclaredAttribute, DeclaredNode } from '../schema/declared.js'
import { GraphError } from '../schema/error.js'
import { once } from './once.js'
import type { Slots } from './plan.js'

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
}

/** The members of a type's rows, in order: references, attributes, what is carried. */
export const membersOf = once((type: DeclaredType): readonly Member[] => {
  const references = referencesOf(type)
  const carried = (type.kind === 'edge' ? type.carry : []).map(({ as, end, attribute }) =>
    member(as, references.find(({ name }) => name === end)!.node, attribute),
  )
  const all = [
    ...references.flatMap(referenceMembers),
    ...Object.keys(type.attributes).map(name => member(name, type)),
    ...carried,
  ]
  return all.map(each => ({ ...each, path: `${type.name}.${each.at.join('.')}` }))
})

const member = (name: string, { attributes }: DeclaredType, attribute = name): Member => ({
  slot: name,
  at: [name],
  attribute: attributes[attribute]!,
  path: name,
})

/** A reference is the id of its node: of one part that value, of several an object. */
function referenceMembers({ name, node }: Reference): Member[] {
  const parts = [...referencesOf(node).flatMap(referenceMembers), ...node.id.map(part => member(part, node))]
  return parts.map(({ slot, at, ...part }) =>
    parts.length === 1 ? { ...part, slot: name, at: [name] } : { ...part, slot: `${name}.${slot}`, at: [name, ...at] },
  )
}

/** The members that tell a node or an edge from all others, as they stand in an identity: a single id is that value. */
export const identityMembers = once((type: DeclaredType): readonly Member[] => {
  const names = [...referencesOf(type).map(({ name }) => name), ...(type.kind === 'edge' ? type.key : type.id)]
  const own = names.flatMap(name => membersNamed(type, name))
  return own.length === 1 ? [{ ...own[0]!, at: [] }] : own
})

export function membersNamed(type: DeclaredType, name: string): readonly Member[] {
  const members = membersOf(type).filter(({ at }) => at[0] === name)
  if (members.length > 0) return members
  throw new GraphError('read.part', `${type.name} has no '${name}': ${memberNames(type)}`, { type: type.name, name })
}

/** What a row of the type can have, for messages. */
export const memberNames = (type: DeclaredType): string =>
  `it has ${[...new Set(membersOf(type).map(({ at }) => at[0]))].join(', ')}`

/** What a read by a member gives: of a set one element. */
export const partOf = ({ attribute }: Member): DeclaredAttribute =>
  attribute.kind === 'set' ? attribute.element! : attribute

/** The slots of what is given of these members, of which all may have to be. */
export function valuesWithin(members: readonly Member[], given: unknown, isWhole = false): Slots {
  const values: Record<string, AttributeValue> = {}
  for (const member of members) {
    let value = given
    for (const name of member.at) value = (value as Record<string, unknown> | undefined)?.[name]
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
