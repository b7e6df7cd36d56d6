import type { Deriving } from '../derive/deriving.js'
import type { Item, Key } from '../dynamodb/attribute-value.js'
import { ownSlots } from '../layout/kinds.js'
import type { Layout } from '../layout/layout.js'
import { type DeclaredType, endsInOrder, referenceSlots, storedSlots } from '../layout/slots.js'
import type { KeyValues } from '../layout/template-encode.js'
import { keyOf, keyText, ownKind, tableKey } from '../plan/identity.js'
import { GraphError } from '../schema/error.js'
import type { AbortSignalLike } from '../store/abort-signal.js'
import type { Store } from '../store/port.js'
import { isApart, isMoved, isStray, placeOf, read, readBoth, typeIn } from './backfill-item.js'
import { PLACES_KNOWN, Places } from './backfill-met.js'
import { checkTold, isToldOtherwise, mistakenIn } from './backfill-references.js'
import { shownKey, unread } from './backfill-refusals.js'
import { isOver } from './backfill-taken.js'
import { othersTurn } from './others-turn.js'

/**
 * The slots that tell the items of a type apart in the keys of the layout before, where those of the new one may not: a
 * part of a key goes, or its case. Undefined where no two become one.
 */
function mergedBy(
  before: Layout,
  after: Layout,
  was: DeclaredType,
  free: readonly string[] = [],
): readonly string[] | undefined {
  const type = typeIn(after, was.name)
  if (type?.kind !== was.kind) return undefined
  const [old, now] = [ownKind(before, was), ownKind(after, type)]
  const slots = ownSlots(old, before.names).filter(slot => !free.includes(slot))
  const known = ownSlots(now, after.names)
  const folds = ({ keys }: typeof old, { names }: Layout) => names.keys.map(name => keys[name]?.fold)
  const isFolded = folds(now, after).some(fold => fold && folds(old, before).some(each => each !== fold))
  return isFolded || slots.some(slot => !known.includes(slot)) ? slots : undefined
}

/** Where the one edge of a node leads: put anew, it may lead elsewhere. */
function farOf(was: DeclaredType): string[] {
  const far = was.kind === 'edge' && was.one ? was.ends.filter(({ name }) => name !== was.one) : []
  return far.flatMap(referenceSlots)
}

const toldBy = (slots: readonly string[], type: DeclaredType, values: KeyValues | undefined): string =>
  JSON.stringify(slots.map(slot => values && endsInOrder(type, values)[slot]))

/** Refuses to take one item of the layout before for an older one of what lies where it belongs, if it is another. */
export function checkSame(before: Layout, after: Layout, item: Item, newer: Item): void {
  const { type, values } = read(before, item)!
  const slots = mergedBy(before, after, type, farOf(type))
  const now = typeIn(after, type.name)!
  if (slots && toldBy(slots, now, values) !== toldBy(slots, now, read(after, newer)?.values))
    throw merged(keyOf(before.names, item), keyOf(after.names, newer))
}

const keyTexts = ({ shape, names }: Layout, type: string): string => {
  const { keys = {} } = shape.kinds[type] as { readonly keys?: Readonly<Record<string, string>> }
  return JSON.stringify(names.keys.map(name => keys[name]))
}

/**
 * Refuses to begin where items that the layout before tells apart would lie in one place, or one has no place, its key
 * being of what it lacks: some would be moved then, and the rest could not be.
 */
export async function checkMoves(
  deriving: Deriving,
  before: Layout,
  isBegun: boolean,
  signal?: AbortSignalLike,
  mostPlaces = PLACES_KNOWN,
): Promise<void> {
  const { store, layout: after } = deriving.context
  const { nodes, edges } = before.graph.declared
  const changes = new Map(
    [...nodes, ...edges].flatMap(was => {
      const type = typeIn(after, was.name)
      // Once it is begun, there are those of the new layout, which look alike.
      const mistaken = type && !isBegun ? mistakenIn(was, type) : undefined
      const isOther = type && (keyTexts(before, was.name) !== keyTexts(after, was.name) || isToldOtherwise(was, type))
      return mistaken || isOther ? [[was, { mistaken, slots: mergedBy(before, after, was) }] as const] : []
    }),
  )
  if (changes.size === 0) return
  const seen = new Places(mostPlaces)
  const meet = (item: Item) => {
    const was = isStray(before, after, item) || isApart(before, after, item) ? undefined : read(before, item)
    const change = was && changes.get(was.type)
    if (!change) return
    if (change.mistaken && !isMoved(before, after, item)) throw new GraphError('key.missing', change.mistaken)
    checkTold(before, after, item)
    const place = placeOf(before, after, item)!
    const type = typeIn(after, was.type.name)!
    // One that is over gives way to any other, as long as it is known to be.
    const isNobody = type.expires === was.type.expires && isOver(deriving, before, item)
    if (!change.slots || isNobody) return
    // Of two that lead both ways one stays, if the one that is moved first still says that it is the same.
    const isSaid = change.slots.every(slot => storedSlots(type).includes(slot))
    const told = toldBy(change.slots, isSaid ? type : was.type, was.values)
    // Beside a mirror it stays under either end, where the mirror of the other belongs.
    const values = endsInOrder(type, readBoth(before, after, item)!.values)
    const text = keyText(after, tableKey(after, ownKind(after, type), values))
    if (!seen.isOnlyOf(text, told)) throw merged(keyOf(before.names, item), place)
  }
  do await eachItem(store, before, after, meet, signal)
  while (seen.isToGoOn())
}

async function eachItem(
  store: Store,
  before: Layout,
  after: Layout,
  meet: (item: Item) => void,
  signal?: AbortSignalLike,
): Promise<void> {
  let start: Key | undefined
  do {
    await othersTurn(signal)
    const more = start && { ExclusiveStartKey: start }
    const page = await store.scan({ TableName: after.design.name, ConsistentRead: true, ...more })
    for (const item of page.Items ?? [])
      try {
        meet(item)
      } catch (error) {
        unread(keyOf(before.names, item))(error as GraphError)
      }
    start = page.LastEvaluatedKey
  } while (start)
}

const merged = (key: Key, place: Key): GraphError =>
  new GraphError(
    'layout.drift',
    `the item ${shownKey(key)} belongs where another does that the layout before tells from it, at ${shownKey(place)}, and one of them would be lost: change or delete one under the layout before, and call this again`,
  )
