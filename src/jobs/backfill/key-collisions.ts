import type { DerivationContext } from '../../derive/settle/context.js'
import type { Item, Key } from '../../dynamodb/attribute-value.js'
import type { KeySlotValues } from '../../layout/keys/encode-template.js'
import { tableKeySlots } from '../../layout/kinds.js'
import type { Layout } from '../../layout/layout.js'
import { type DeclaredType, normalizeEnds, referenceSlots, storedSlots } from '../../layout/slots.js'
import { keyOfItem, ownKindOf, tableKeyOf, uniqueKeyTextOf } from '../../plan/identity.js'
import { GraphError } from '../../schema/error.js'
import type { AbortSignalLike } from '../../store/abort-signal.js'
import type { Store } from '../../store/port.js'
import { yieldToEventLoop } from '../yield-to-event-loop.js'
import { ClaimedKeys, MAX_KNOWN_KEYS } from './claimed-keys.js'
import { keyTextForMessage, rethrowForItem } from './errors.js'
import { isAlreadyMoved, newKeyOf, parseWithBoth } from './item.js'
import { findType, isMisplaced, isOnlyInNewLayout, parseOwnItem } from './own-items.js'
import { assertIdentityPresent, findMistakenReference, hasNewIdentity } from './reference-checks.js'
import { isExpiredEdge } from './vacate-place.js'

/**
 * Returns the slots that distinguish items in old keys but not in new ones, because a key part or its case is dropped.
 * Undefined if no two items can collide.
 */
function collidingSlotsOf(
  oldLayout: Layout,
  newLayout: Layout,
  oldType: DeclaredType,
  replaceableSlots: readonly string[] = [],
): readonly string[] | undefined {
  const type = findType(newLayout, oldType.name)
  if (type?.kind !== oldType.kind) return undefined
  const [oldKind, newKind] = [ownKindOf(oldLayout, oldType), ownKindOf(newLayout, type)]
  const slots = tableKeySlots(oldKind, oldLayout.names).filter(slot => !replaceableSlots.includes(slot))
  const newSlots = tableKeySlots(newKind, newLayout.names)
  const folds = ({ keys }: typeof oldKind, { names }: Layout) => names.keys.map(name => keys[name]?.fold)
  const isFolded = folds(newKind, newLayout).some(fold => fold && folds(oldKind, oldLayout).some(each => each !== fold))
  return isFolded || slots.some(slot => !newSlots.includes(slot)) ? slots : undefined
}

/** The replaceable end of an edge is ignored: a new write may lead elsewhere. */
function replaceableEndSlotsOf(oldType: DeclaredType): string[] {
  const replaceableEnds =
    oldType.kind === 'edge' && oldType.one ? oldType.ends.filter(({ name }) => name !== oldType.one) : []
  return replaceableEnds.flatMap(referenceSlots)
}

const identityTextOf = (slots: readonly string[], type: DeclaredType, values: KeySlotValues | undefined): string =>
  JSON.stringify(slots.map(slot => values && normalizeEnds(type, values)[slot]))

/** Throws if the item at the target key is a different item, and not a newer version of the same one. */
export function assertSameItem(oldLayout: Layout, newLayout: Layout, item: Item, newer: Item): void {
  const { type, values } = parseOwnItem(oldLayout, item)!
  const slots = collidingSlotsOf(oldLayout, newLayout, type, replaceableEndSlotsOf(type))
  const newType = findType(newLayout, type.name)!
  if (
    slots &&
    identityTextOf(slots, newType, values) !== identityTextOf(slots, newType, parseOwnItem(newLayout, newer)?.values)
  )
    throw toCollisionError(keyOfItem(oldLayout.names, item), keyOfItem(newLayout.names, newer))
}

const keyTemplatesTextOf = ({ shape, names }: Layout, type: string): string => {
  const { keys = {} } = shape.kinds[type] as { readonly keys?: Readonly<Record<string, string>> }
  return JSON.stringify(names.keys.map(name => keys[name]))
}

/**
 * Throws before the first write if two distinct items would get the same key, or an item lacks a value of its new key.
 * A partial migration would be the result.
 */
export async function assertMovesPossible(
  derivation: DerivationContext,
  oldLayout: Layout,
  hasStarted: boolean,
  signal?: AbortSignalLike,
  maxKnownKeys = MAX_KNOWN_KEYS,
): Promise<void> {
  const { store, layout: newLayout } = derivation.context
  const { nodes, edges } = oldLayout.graph.declared
  const changes = new Map(
    [...nodes, ...edges].flatMap(oldParsed => {
      const type = findType(newLayout, oldParsed.name)
      // After the start, items of the new layout exist, which look the same.
      const mistakenReference = type && !hasStarted ? findMistakenReference(oldParsed, type) : undefined
      const hasNewKeys =
        type &&
        (keyTemplatesTextOf(oldLayout, oldParsed.name) !== keyTemplatesTextOf(newLayout, oldParsed.name) ||
          hasNewIdentity(oldParsed, type))
      return mistakenReference || hasNewKeys
        ? [
            [
              oldParsed,
              { mistaken: mistakenReference, slots: collidingSlotsOf(oldLayout, newLayout, oldParsed) },
            ] as const,
          ]
        : []
    }),
  )
  if (changes.size === 0) return
  const claimedKeys = new ClaimedKeys(maxKnownKeys)
  const checkItem = (item: Item) => {
    const oldParsed =
      isMisplaced(oldLayout, newLayout, item) || isOnlyInNewLayout(oldLayout, newLayout, item)
        ? undefined
        : parseOwnItem(oldLayout, item)
    const change = oldParsed && changes.get(oldParsed.type)
    if (!change) return
    if (change.mistaken && !isAlreadyMoved(oldLayout, newLayout, item))
      throw new GraphError('key.missing', change.mistaken)
    assertIdentityPresent(oldLayout, newLayout, item)
    const newKey = newKeyOf(oldLayout, newLayout, item)!
    const type = findType(newLayout, oldParsed.type.name)!
    // An expired item gives way to any other, if it is known to be expired.
    const isExpired = type.expires === oldParsed.type.expires && isExpiredEdge(derivation, oldLayout, item)
    if (!change.slots || isExpired) return
    // Two edges in opposite directions become one undirected edge, if the one that moves first still has the same
    // values.
    const hasAllSlots = change.slots.every(slot => storedSlots(type).includes(slot))
    const identityText = identityTextOf(change.slots, hasAllSlots ? type : oldParsed.type, oldParsed.values)
    // An edge with a mirror keeps its end, and its key is that of the other edge's mirror.
    const values = normalizeEnds(type, parseWithBoth(oldLayout, newLayout, item)!.values)
    const newKeyText = uniqueKeyTextOf(newLayout, tableKeyOf(newLayout, ownKindOf(newLayout, type), values))
    if (!claimedKeys.tryClaim(newKeyText, identityText))
      throw toCollisionError(keyOfItem(oldLayout.names, item), newKey)
  }
  do await forEachItem(store, oldLayout, newLayout, checkItem, signal)
  while (claimedKeys.startNextRange())
}

async function forEachItem(
  store: Store,
  oldLayout: Layout,
  newLayout: Layout,
  visit: (item: Item) => void,
  signal?: AbortSignalLike,
): Promise<void> {
  let startKey: Key | undefined
  do {
    await yieldToEventLoop(signal)
    const startOption = startKey && { ExclusiveStartKey: startKey }
    const page = await store.scan({ TableName: newLayout.design.name, ConsistentRead: true, ...startOption })
    for (const item of page.Items ?? [])
      try {
        visit(item)
      } catch (error) {
        rethrowForItem(keyOfItem(oldLayout.names, item))(error as GraphError)
      }
    startKey = page.LastEvaluatedKey
  } while (startKey)
}

const toCollisionError = (key: Key, place: Key): GraphError =>
  new GraphError(
    'layout.drift',
    `item '${keyTextForMessage(key)}': this item and another one would get the same key '${keyTextForMessage(place)}', and one of them would be lost; change or delete one with the old layout, and run the backfill again.`,
  )
