import { itemsOfStoredRow } from '../../layout/items/items.js'
import { EMPTY_TALLY } from '../../layout/items/tally.js'
import { type Kind, keySlotsOf } from '../../layout/kinds.js'
import type { Layout } from '../../layout/layout.js'
import type { DeclaredEdge, DeclaredEnd } from '../../schema/declarations.js'
import type { PlannedChange, Receipt } from '../plan.js'
import { valuesGivenBy } from '../slot-values.js'
import { aggregatesAt, edgeGuardNamesAt, type TypeTraits, traitsOf } from '../type-traits.js'
import { isTreePut } from '../write/ancestors.js'
import { isCountedByStream } from '../write/effects/stream-counters.js'
import { changedIndexKeys, isPatched } from '../write/prior-reads.js'
import type { PricedItem } from './write-price.js'

/**
 * Estimates the item writes, assuming that only required rows exist. Existing rows can make the actual write larger
 * or smaller.
 */
export function estimateItems(
  layout: Layout,
  changes: readonly PlannedChange[],
  receipt: Receipt | undefined,
): PricedItem[] {
  const items = changes.flatMap(change => estimateChangeItems(layout, traitsOf(layout, change.type), change))
  return receipt ? [...items, { after: receipt.item }] : items
}

function estimateChangeItems(layout: Layout, traits: TypeTraits, change: PlannedChange): PricedItem[] {
  const {
    type,
    ownKind,
    sideKinds,
    countedMirrors,
    aggregateOwners,
    requiredEnds,
    aggregateInputs,
    rankedCounters,
    tallyNames,
    owner,
  } = traits
  const { verb, patch } = change
  if (verb === 'check') return [{ ...UNKNOWN_ITEM, verb: 'ConditionCheck' }]
  const isUpdate = verb === 'update'
  const isWhole = verb === 'create' || verb === 'put'
  const changed = isUpdate && !isPatched(change, aggregateInputs) ? [] : aggregateOwners
  const ends = isWhole ? (change.ends ? (type as DeclaredEdge).ends : requiredEnds) : changed
  const ownerNodes = ends.map(end => estimateOwnerNode(layout, type as DeclaredEdge, end))
  const values = { ...valuesGivenBy(change), [layout.names.etag]: { S: change.etag } }
  const items = itemsOfStoredRow(layout, type, values).map(({ item }) => item)
  if (isWhole) {
    for (const name of rankedCounters) items[0]![name] = { N: '0' }
    for (const name of tallyNames) items[0]![name] = EMPTY_TALLY
    // Of a tree, at least one edge above is checked, which may be absent.
    const above = isTreePut(traits, change) ? [{ ...UNKNOWN_ITEM, verb: 'ConditionCheck' as const }] : []
    return [...items.map(after => ({ after })), ...ownerNodes, ...(owner ? [UNKNOWN_ITEM] : []), ...above]
  }
  const named = Object.keys(patch).map(slot => layout.names.attributeOf(type, slot))
  const ownItem = {
    subject: { type: type.name },
    unreadChanges: [...changedIndexKeys(traits, change), ...named],
    after: isUpdate ? items[0] : undefined,
  }
  const moves = (kind: Kind) => isPatched(change, keySlotsOf(kind))
  const changedSides = sideKinds.filter(side => !isUpdate || side.role === 'mirror' || moves(side))
  const deletedKinds = verb === 'delete' ? [ownKind, ...countedMirrors] : countedMirrors.filter(moves)
  const tombstones = deletedKinds.filter(kind => isCountedByStream(layout, kind)).map(() => ({}))
  // A mirror is as large as its edge; other side items are small.
  const sideItems = [...changedSides, ...sideKinds.filter(moves)].map(({ role }) =>
    role === 'mirror' ? UNKNOWN_ITEM : {},
  )
  return [ownItem, ...ownerNodes, ...sideItems, ...tombstones]
}

/** A written item without any known value. */
const UNKNOWN_ITEM: PricedItem = { unreadChanges: [] }

/** The write of a node that has aggregates of an edge, or that the edge requires. */
function estimateOwnerNode(layout: Layout, edge: DeclaredEdge, end: DeclaredEnd): PricedItem {
  const { node } = end
  const aggregates = aggregatesAt(edge, end)
  if (aggregates.length === 0) return UNKNOWN_ITEM
  const names = [
    ...new Set([
      ...aggregates.map(({ into }) => layout.names.attributeOf(node, into)),
      ...edgeGuardNamesAt(layout, edge, end),
    ]),
  ]
  const after = Object.fromEntries(names.map(name => [name, { N: '1' }]))
  return { subject: { type: node.name }, after, unreadChanges: names }
}
