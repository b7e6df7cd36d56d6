import type { AttributeValue } from '../dynamodb/attribute-value.js'
import type { Access } from '../layout/access.js'
import { idSlots, referenceSlots } from '../layout/slots.js'
import type { LastPart } from '../layout/template-condition.js'
import { GraphError } from '../schema/error.js'
import { memberAttribute, memberValues, referencesOf } from './identity.js'
import type { Slots } from './plan.js'

/** Parts of a path's order from the left by their values, the last perhaps by a range or a beginning. */
export type Where = Readonly<Record<string, unknown>>

/** A `where` as stored values: what is equal, and what is said of the part after it. */
export interface ReadWhere {
  readonly equal: Slots
  readonly last?: { readonly slot: string; readonly part: LastPart }
}

/** Reads a `where`, which must go through the parts of the path without a hole. */
export function readWhere(access: Access, where: Where = {}): ReadWhere {
  let equal: Record<string, AttributeValue> = {}
  let last: ReadWhere['last']
  for (const [name, value] of Object.entries(where)) {
    if (value === undefined) continue
    const part = rangeOf(access, name, value)
    if (!part) equal = { ...equal, ...memberValues(access.type, name, value) }
    else if (last) throw partError(access, name, `has two ranges: only the last part can have one`)
    else last = { slot: slotOf(access, name), part }
  }
  checkFromLeft(access, Object.keys(equal), last?.slot)
  return last ? { equal, last } : { equal }
}

function checkFromLeft(access: Access, equal: readonly string[], last: string | undefined): void {
  const { parts } = access
  const given = last === undefined ? equal : [...equal, last]
  const stray = given.find(slot => !parts.includes(slot))
  if (stray !== undefined)
    throw partError(access, stray, `is not sorted by '${stray}': its parts are ${parts.join(', ') || 'none'}`)
  const hole = parts.slice(0, given.length).find(slot => !given.includes(slot))
  if (hole !== undefined) throw partError(access, hole, `needs '${hole}' first: it goes ${parts.join(', ')}`)
  if (last !== undefined && parts[given.length - 1] !== last)
    throw partError(access, last, `has a range of '${last}', after which nothing can be given`)
}

/** Ranges are plain objects, which no single value is; an id of several parts is one, and has no range. */
function rangeOf(access: Access, name: string, value: unknown): LastPart | undefined {
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return undefined
  const reference = referencesOf(access.type).find(candidate => candidate.name === name)
  if (reference && idSlots(reference.node).length > 1) return undefined
  if ('startsWith' in value) return { startsWith: String(value.startsWith) }
  const { from, to } = value as { readonly from?: unknown; readonly to?: unknown }
  const attribute = memberAttribute(access.type, name)
  const stored = (bound: unknown) =>
    bound === undefined ? undefined : attribute.encode(bound, `${access.type.name}.${name}`)
  return { from: stored(from), to: stored(to) }
}

function slotOf({ type }: Access, name: string): string {
  const reference = referencesOf(type).find(candidate => candidate.name === name)
  return reference ? referenceSlots(name, reference.node)[0]! : name
}

function partError({ type, name }: Access, part: string, fault: string) {
  return new GraphError('read.part', `${type.name}.by.${name} ${fault}`, { type: type.name, name: part })
}

/** The slots of what a read is given: the id of a node, or the parts of a path by name. */
export function givenValues(access: Access, given: unknown): Slots {
  const { type, name } = access
  const references = referencesOf(type).some(reference => reference.name === name)
  if (references || access.kind.role === 'unique') return memberValues(type, name, given)
  const parts = Object.entries((given ?? {}) as Record<string, unknown>)
  return Object.assign({}, ...parts.map(([part, value]) => memberValues(type, part, value)))
}
