import type { Layout } from '../layout/layout.js'
import { once } from '../layout/once.js'
import type { DeclaredType } from '../layout/slots.js'
import type { PathAsk } from '../plan/ask.js'
import { accessNamed, identityValues, pathError } from '../plan/identity.js'
import { identityMembers, referencesOf } from '../plan/members.js'
import type { Row } from '../plan/row.js'
import { traitsOf } from '../plan/write-traits.js'
import type { Hop, NodeRef } from './traversal.js'

/** The hop that a read by a path stands for, if it starts at this type. */
export function hopOf(layout: Layout, start: string, ask: Omit<PathAsk, 'given'>): Hop {
  const { type: name, path, where, filter, reverse, limit, consistent } = ask
  const access = accessNamed(layout, name, path)
  const { type } = access
  const refuse = (fault: string) => {
    throw pathError('read.path', access, `${fault}; give a path that starts there`)
  }
  const [given] = access.given
  const reference = referencesOf(type).find(each => each.name === path)
  if (!reference) refuse(`does not start at a node, so a traversal cannot follow it from '${start}'`)
  if (reference!.node.name !== start) refuse(`starts at '${reference!.node.name}', and the traversal is at '${start}'`)
  if (given === undefined) refuse('takes no node')
  const other = type.kind === 'edge' ? type.ends.find(end => end.name !== path)! : undefined
  return {
    type: name,
    path,
    start,
    reached: other ? other.node.name : name,
    end: other?.name,
    read: withoutUndefined({ where, filter, reverse, limit, consistent }),
  }
}

/** Whether a node of this type can be gone while edges lead to it: its nodes expire, or are deleted step by step. */
export function canVanish(layout: Layout, type: string): boolean {
  const { timed, ends } = traitsOf(layout, type)
  return timed !== undefined || ends.some(({ end }) => end.onDelete !== 'leave')
}

/** The text that tells an id from all others of its type. Most ids are one text, which stands for itself. */
export const keyFor = once((type: DeclaredType): ((id: unknown) => string) => {
  const members = identityMembers(type)
  const [only, more] = members
  const isText = !more && (only!.attribute.kind === 'string' || only!.attribute.kind === 'ulid')
  const encoded = (id: unknown) => {
    const values = identityValues(type, id)
    return JSON.stringify(
      members.map(({ slot }) => values[slot]),
      (_, value) => (value instanceof Uint8Array ? [...value] : value),
    )
  }
  return isText ? id => (typeof id === 'string' ? id : encoded(id)) : encoded
})

export const refOf = (type: DeclaredType, id: unknown): NodeRef => ({ type: type.name, id, key: keyFor(type)(id) })

/** The id of the node that a row leads to: the other end of an edge, or the owned node itself. */
export function reachedId(type: DeclaredType, end: string | undefined, row: Row): unknown {
  if (end !== undefined) return row[end]
  const members = identityMembers(type)
  if (members.length === 1) return row[members[0]!.slot]
  const id: Record<string, unknown> = {}
  for (const { at } of members) id[at[0]!] = row[at[0]!]
  return id
}

/** The texts that two hops share exactly if they read the same lists. */
export const hopKey = once((hop: Hop): string => JSON.stringify(hop, plainValue))

/** Values that JSON has no form for. */
export const plainValue = (_: string, value: unknown): unknown =>
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
