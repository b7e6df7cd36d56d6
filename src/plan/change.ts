import type { AttributeValue, Item, Key } from '../dynamodb/attribute-value.js'
import { itemsOfFact } from '../layout/items.js'
import type { Layout } from '../layout/layout.js'
import type { DeclaredType } from '../layout/slots.js'
import type { DeclaredEdge } from '../schema/declared.js'
import { GraphError } from '../schema/error.js'
import { farSlots, immutables } from './change-conditions.js'
import { keptParts } from './change-kept.js'
import { changedItem, changedUnread, deletedItem, wholeItem } from './change-own.js'
import { endKey, found, ownKey, type Written } from './change-part.js'
import { sideParts } from './change-sides.js'
import { changedValues, sameValue, storedValues, type Values } from './change-values.js'
import { typeOf } from './identity.js'
import type { Change } from './plan.js'
import { keepers, needsOf, toldBy } from './write-needs.js'

/**
 * The writes that bring a node or an edge, and everything derived from it, from the state before to that after a change.
 * `read`: the items that were found of those that had to be read; undefined where nothing had to be.
 */
export function changeWrites(layout: Layout, change: Change, read?: readonly Item[]): Written[] {
  const type = typeOf(layout, change.type)
  const isRead = read !== undefined && needsOf(layout, change, type).own
  const there = isRead ? found(layout, read, ownKey(layout, type, change.identity)) : undefined
  const before = there && storedValues(layout, type, change.identity, there)
  switch (change.verb) {
    case 'create':
    case 'put': {
      const values = { ...change.identity, ...change.set, ...carriedValues(layout, type, change, read ?? []) }
      if (there) checkImmutable(layout, type, change, there, values)
      const own = wholeItem(layout, type, change, values, isRead ? (there ?? 'absent') : 'unread')
      return [own, ...derivedParts(layout, type, change, before, values, read)]
    }
    case 'update': {
      if (!isRead) return [changedUnread(layout, type, change)]
      if (!there || leadsElsewhere(layout, type, change, there) || isExpired(layout, change, there)) throw absent(type)
      const values = changedValues(type, before!, change)
      return [
        changedItem(layout, type, change, values, there),
        ...derivedParts(layout, type, change, before, values, read),
      ]
    }
    case 'delete': {
      if (!isRead) return [deletedItem(layout, type, change, 'unread')]
      if (!there || leadsElsewhere(layout, type, change, there)) return []
      return [deletedItem(layout, type, change, there), ...derivedParts(layout, type, change, before, undefined, read)]
    }
  }
}

/** The keys of the nodes that keep something of the edge as it was: of the one edge of a node, known from its item only. */
export function keepersBefore(layout: Layout, change: Change, read: readonly Item[]): Key[] {
  const edge = typeOf(layout, change.type) as DeclaredEdge
  const there = found(layout, read, ownKey(layout, edge, change.identity))
  if (!there || !leadsElsewhere(layout, edge, change, there)) return []
  const before = storedValues(layout, edge, change.identity, there)
  return keepers(edge)
    .filter(({ name }) => name !== edge.one)
    .map(end => endKey(layout, end, before))
}

/** Whether the one edge that a node has is another than the change means. */
function leadsElsewhere({ names }: Layout, type: DeclaredType, { identity }: Change, there: Item): boolean {
  return farSlots(type).some(slot => !sameValue(there[names.of(type, slot)], identity[slot]))
}

function isExpired({ names }: Layout, { nowSeconds }: Change, there: Item): boolean {
  const seconds = there[names.expires]?.N
  return seconds !== undefined && Number(seconds) <= nowSeconds
}

function derivedParts(
  layout: Layout,
  type: DeclaredType,
  { etag }: Change,
  before: Values | undefined,
  after: Values | undefined,
  read: readonly Item[] | undefined,
): Written[] {
  const sides = (values: Values | undefined) => (values ? itemsOfFact(layout, type, values).slice(1) : [])
  const beside = sideParts(layout, sides(before), sides(after), etag)
  return type.kind === 'edge' ? [...beside, ...keptParts(layout, type, before, after, read)] : beside
}

/** What an edge copies from the nodes at its ends. */
function carriedValues(layout: Layout, type: DeclaredType, change: Change, read: readonly Item[]): Values {
  const copies: Record<string, AttributeValue> = {}
  if (type.kind === 'node') return copies
  for (const carry of type.carry) {
    const told = toldBy(type, carry)
    const end = type.ends.find(({ name }) => name === carry.end)!
    const source = told === undefined ? found(layout, read, endKey(layout, end, change.identity)) : undefined
    if (told === undefined && !source)
      throw new GraphError(
        'edge.carry.absent',
        `${type.name} carries '${carry.end}.${carry.attribute}', but that ${end.node.name} is not there: create it first`,
        { type: type.name, name: carry.as },
      )
    const value = told === undefined ? source![layout.names.of(end.node, carry.attribute)] : change.identity[told]
    if (value) copies[carry.as] = value
  }
  return copies
}

function checkImmutable(layout: Layout, type: DeclaredType, change: Change, there: Item, values: Values): void {
  if (leadsElsewhere(layout, type, change, there)) return
  for (const name of immutables(type))
    if (!sameValue(there[layout.names.of(type, name)], values[name]))
      throw new GraphError('write.immutable', `'${name}' of ${type.name} is immutable, and is another there`, {
        type: type.name,
        name,
      })
}

function absent({ name: type }: DeclaredType): GraphError {
  return new GraphError('write.absent', `there is no such ${type} to update: create it`, { type })
}
