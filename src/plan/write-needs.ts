import type { Key } from '../dynamodb/attribute-value.js'
import type { Layout } from '../layout/layout.js'
import { type DeclaredType, idSlots, referenceSlots } from '../layout/slots.js'
import type { DeclaredCarry, DeclaredEdge, DeclaredEnd } from '../schema/declared.js'
import { endKey } from './change-part.js'
import { ownKind } from './identity.js'
import type { Change } from './plan.js'

/** What has to be read before a change can be written. */
export interface Needs {
  readonly own: boolean
  /** Of other items: the nodes from which an edge carries, and those that keep something of it. */
  readonly keys: readonly Key[]
  /** Whether the nodes that kept the edge before are known only from its item. */
  readonly late: boolean
}

/** Whether an item has attributes that its writer does not give: a put must leave them. */
export function holdsDerived(type: DeclaredType): boolean {
  if (type.kind === 'node') return type.unique.length > 0 || Object.values(type.attributes).some(each => each.derived)
  return keptByStream(type)
}

export function keptByStream({ carry, count, sum }: DeclaredEdge): boolean {
  return carry.some(({ sync }) => sync !== undefined) || [...count, ...sum].some(({ by }) => by === 'stream')
}

/** The ends whose nodes keep something of each edge, in the edge's own transaction. */
export function keepers({ ends, count, sum, embed }: DeclaredEdge): DeclaredEnd[] {
  const numbers = [...count, ...sum].filter(({ by }) => by === 'transaction')
  return ends.filter(({ name }) => [...numbers, ...embed].some(({ end }) => end === name))
}

function touched({ set, add, remove, inPlace }: Change): string[] {
  return [...Object.keys(set), ...Object.keys(add), ...remove, ...Object.keys(inPlace)]
}

/** The slot of an edge that tells a carried attribute already, being a part of the end's id. */
export function toldBy(edge: DeclaredEdge, { end, attribute }: DeclaredCarry): string | undefined {
  const { name, node } = edge.ends.find(each => each.name === end)!
  return referenceSlots(name, node)[idSlots(node).indexOf(attribute)]
}

export function needsOf(layout: Layout, change: Change, type: DeclaredType): Needs {
  const own = needsOwn(layout, change, type)
  if (type.kind === 'node') return { own, keys: [], late: false }
  const ends = new Set<DeclaredEnd>()
  const whole = change.verb === 'create' || change.verb === 'put'
  if (whole)
    for (const carry of type.carry)
      if (toldBy(type, carry) === undefined) ends.add(type.ends.find(({ name }) => name === carry.end)!)
  const kept = keepers(type)
  const reads =
    change.verb === 'update' ? changesKept(type, change) : own || ends.size > 0 || (whole && type.embed.length > 0)
  // Where anything is read, every node that keeps something is: then it is known whether it is there.
  if (reads) for (const end of kept) ends.add(end)
  const keys = new Map([...ends].map(end => [JSON.stringify(endKey(layout, end, change.identity)), end] as const))
  return {
    own,
    keys: [...keys.values()].map(end => endKey(layout, end, change.identity)),
    late: change.verb === 'put' && own && type.one !== undefined && kept.length > 0,
  }
}

function needsOwn(layout: Layout, change: Change, type: DeclaredType): boolean {
  const sides = layout.kinds.filter(kind => kind.type === type && kind.role !== type.kind)
  if (change.verb === 'create') return false
  if (change.verb === 'update') return updateNeedsOwn(layout, change, type)
  if (sides.length > 0 || (type.kind === 'edge' && keepers(type).length > 0)) return true
  return change.verb === 'put' && type.kind === 'edge' && type.one !== undefined
}

function updateNeedsOwn(layout: Layout, change: Change, type: DeclaredType): boolean {
  const slots = touched(change)
  const expires = type.expires !== undefined && slots.includes(type.expires)
  const sides = layout.kinds.filter(kind => kind.type === type && kind.role !== type.kind)
  const beside = sides.some(
    ({ role, keys }) =>
      role === 'mirror' ||
      (expires && role === 'facet') ||
      Object.values(keys).some(template => template.slots.some(({ name }) => slots.includes(name))),
  )
  if (beside || (type.kind === 'edge' && changesKept(type, change))) return true
  if (Object.keys(change.add).some(slot => type.attributes[slot]!.range)) return true
  if (Object.values(change.inPlace).some(({ kind }) => kind === 'within')) return true
  const given = new Set([...Object.keys(change.identity), ...Object.keys(change.set), ...change.remove])
  const { keys } = ownKind(layout, type)
  return touchedKeys(layout, type, change).some(key =>
    keys[key]!.slots.some(({ name }) => !given.has(name) && name !== 'shard'),
  )
}

/** Whether a change shows in what nodes keep of an edge. */
function changesKept({ ends, sum, embed }: DeclaredEdge, change: Change): boolean {
  const slots = touched(change)
  const entries = embed.flatMap(({ end, into }) => {
    const { node } = ends.find(({ name }) => name === end)!
    return Object.keys(node.attributes[into]!.members ?? {})
  })
  return [...entries, ...sum.map(({ of }) => of)].some(slot => slots.includes(slot))
}

/** The key attributes of every index of which a change touches a part: an index is entered by all of them or by none. */
export function touchedKeys({ design, kinds }: Layout, type: DeclaredType, change: Change): string[] {
  const { keys } = kinds.find(kind => kind.type === type && kind.role === type.kind)!
  const slots = touched(change)
  const isTouched = (attribute: string) => keys[attribute]?.slots.some(({ name }) => slots.includes(name)) ?? false
  const { partition, sort } = design.keys
  const attributes = design.indexes
    .map(index => [...index.partition, ...index.sort].filter(each => each !== partition && each !== sort && keys[each]))
    .filter(each => each.some(isTouched))
  return [...new Set(attributes.flat())]
}
