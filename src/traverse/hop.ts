import type { Access } from '../layout/access/access.js'
import type { Kind } from '../layout/kinds.js'
import type { Layout } from '../layout/layout.js'
import { memoize } from '../layout/memoize.js'
import type { Reference } from '../layout/row-members.js'
import type { DeclaredType } from '../layout/slots.js'
import { accessByName, encodeIdentity, ownKindOf, pathError } from '../plan/identity.js'
import { identityMembers, membersOf, referencesOf } from '../plan/members.js'
import type { PathQuery } from '../plan/read/options.js'
import type { PlainRow } from '../plan/row.js'
import { traitsOf } from '../plan/type-traits.js'
import type { Hop, NodeRef } from './traversal.js'

/** The hop that a read by a path stands for, if it starts at this type. */
export function hopOf(layout: Layout, start: string, query: Omit<PathQuery, 'start'>): Hop {
  const { type: name, path, where, filter, reverse, limit, consistent } = query
  const access = accessByName(layout, name, path)
  const { type } = access
  const failWith = (problem: string) => {
    throw pathError('read.path', access, `${problem}; give a path that starts there`)
  }
  const reference = startReferenceOf(access)
  if (!reference) failWith(`the path does not start at a node, so a traversal cannot follow it from '${start}'`)
  if (reference!.node.name !== start)
    failWith(`the path starts at '${reference!.node.name}', but the traversal is at '${start}'`)
  const other = type.kind === 'edge' ? type.ends.find(end => end.name !== path)! : undefined
  return {
    type: name,
    path,
    ...(reference!.name !== path && { owner: reference!.name }),
    start,
    reached: other ? other.node.name : name,
    end: other?.name,
    read: withoutUndefined({ where, filter, reverse, limit, consistent }),
  }
}

/** The end, or the owner, whose id is all that a read by a path takes; undefined if it takes something else. */
export function startReferenceOf({ type, name, requiredSlots }: Access): Reference | undefined {
  const references = referencesOf(type)
  const named = references.find(reference => reference.name === name)
  if (named || requiredSlots.length === 0) return named
  const slotsOf = (reference: Reference) =>
    membersOf(type).flatMap(({ slot, segments, isReference }) =>
      isReference && segments[0] === reference.name ? [slot] : [],
    )
  return references.find(reference => slotsOf(reference).sort().join() === [...requiredSlots].sort().join())
}

/** The counter that each node at an end has of all its edges on this path. */
export function counterOf(type: DeclaredType, path: string): string | undefined {
  // A self-loop of an undirected edge counts twice, and is one edge of the list.
  if (type.kind !== 'edge' || type.undirected) return undefined
  return type.count.find(({ end, where }) => end === path && !where)?.into
}

/** The argument of the path of a hop, for a node: its id, or an object with the owner. */
export const startOfHop = ({ owner }: Pick<Hop, 'owner'>, id: unknown): unknown =>
  owner === undefined ? id : { [owner]: id }

/**
 * Whether the declarations let a node of this type be gone while edges lead to it: its nodes expire, or are deleted
 * step by step with their edges or owned nodes. A call can also ask to delete edges that are declared to stay. Its
 * nodes are not read for that: edges that stay may always lead to nodes that do not exist.
 */
export function canVanish(layout: Layout, type: string): boolean {
  const { expiryName, incomingEnds, ownedTypes } = traitsOf(layout, type)
  return expiryName !== undefined || ownedTypes.length > 0 || incomingEnds.some(({ end }) => end.onDelete !== 'leave')
}

/**
 * Encodes an id as a text that is unique within its type. Most ids are one text, which is used unchanged. Where the
 * keys fold case, ids that differ only in case are one node.
 */
export const keyEncoderOf = (layout: Layout, type: DeclaredType): ((id: unknown) => string) =>
  compileKeyEncoder(ownKindOf(layout, type))

const compileKeyEncoder = memoize(({ type, keys }: Kind): ((id: unknown) => string) => {
  const members = identityMembers(type)
  const fold = Object.values(keys).find(template => template.fold)?.fold
  const folded = (text: string) =>
    fold === 'upper' ? text.toUpperCase() : fold === 'lower' ? text.toLowerCase() : text
  const [only, more] = members
  const isText = !more && (only!.attribute.kind === 'string' || only!.attribute.kind === 'ulid')
  const encoded = (id: unknown) => {
    const values = encodeIdentity(type, id)
    return JSON.stringify(
      members.map(({ slot }) => values[slot]),
      (_, value) => (value instanceof Uint8Array ? [...value] : typeof value === 'string' ? folded(value) : value),
    )
  }
  if (!isText) return encoded
  return fold
    ? id => (typeof id === 'string' ? folded(id) : encoded(id))
    : id => (typeof id === 'string' ? id : encoded(id))
})

export const nodeRefOf = (layout: Layout, type: DeclaredType, id: unknown): NodeRef => ({
  type: type.name,
  id,
  key: keyEncoderOf(layout, type)(id),
})

/** The id of the node that a row leads to: the other end of an edge, or the owned node itself. */
export function reachedIdOf(type: DeclaredType, end: string | undefined, row: PlainRow): unknown {
  if (end !== undefined) return row[end]
  const members = identityMembers(type)
  if (members.length === 1) return row[members[0]!.slot]
  const id: Record<string, unknown> = {}
  for (const { segments } of members) id[segments[0]!] = row[segments[0]!]
  return id
}

/** The texts that two hops share exactly if they read the same lists. */
export const hopKeyOf = memoize((hop: Hop): string => JSON.stringify(hop, toPlainJson))

/** Values that JSON has no form for. */
export const toPlainJson = (_: string, value: unknown): unknown =>
  typeof value === 'bigint'
    ? `${value}n`
    : value instanceof Uint8Array
      ? [...value]
      : value instanceof Set
        ? [...value]
        : value

function withoutUndefined<T extends object>(object: T): T {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as T
}
