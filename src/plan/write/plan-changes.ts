import type { Key } from '../../dynamodb/attribute-value.js'
import { BATCH_GET_KEYS } from '../../dynamodb/limits.js'
import { itemsOfStoredRow } from '../../layout/items/items.js'
import { EMPTY_TALLY } from '../../layout/items/tally.js'
import { type Kind, keySlotsOf } from '../../layout/kinds.js'
import type { Layout } from '../../layout/layout.js'
import type { DeclaredEdge, DeclaredEnd } from '../../schema/declarations.js'
import { assertTransactionSize, chunksOf } from '../chunks.js'
import { indexByKey, keyOfItem, uniqueKeyTextOf } from '../identity.js'
import type { Deferred, Plan, PlannedChange, PlanStep, Receipt, RequestTemplate } from '../plan.js'
import { type PricedItem, writePrice } from '../price/write-price.js'
import { getItemStep } from '../read/item.js'
import { valuesGivenBy } from '../slot-values.js'
import { readStep } from '../step.js'
import { aggregatesAt, edgeGuardNamesAt, type TypeTraits, traitsOf } from '../type-traits.js'
import { ascend, isTreePut } from './ancestors.js'
import { dependentKeysOf } from './effects/apply-changes.js'
import type { ReadItems } from './effects/item-write.js'
import { isCountedByStream } from './effects/stream-counters.js'
import { changedIndexKeys, isPatched, priorReadsOf } from './prior-reads.js'
import { writeToSend } from './request.js'

/** The number of attempts before a write gives up because of concurrent changes. */
const MAX_ATTEMPTS = 10

/** Plans changes in one request. When the request depends on stored items, a read precedes it. */
export function planChanges(layout: Layout, changes: readonly PlannedChange[], receipt?: Receipt): Plan {
  const isTransaction = changes.length > 1 || receipt !== undefined
  const priorReads = changes.map(change => priorReadsOf(layout, change, isTransaction))
  const keys = indexByKey(
    layout,
    priorReads.flatMap(each => each.keys),
  )
  const withDependentKeys = changes.filter((_, at) => priorReads[at]!.hasDependentKeys)
  const answer = { shape: 'nothing' } as const
  if (!keys.size) {
    const writeRequest = writeToSend(layout, changes, receipt)
    const step = writeRequest && {
      id: 0,
      after: [],
      request: writeRequest.request,
      changes,
      receipt,
      writeRequest,
      price: writeRequest.price,
    }
    return { steps: step ? [step] : [], answer }
  }
  assertTransactionSize('write.transaction', changes.length + (receipt ? 1 : 0))
  // A repeated call may find that the rows of the completed transaction no longer exist, so the receipt is read
  // too.
  if (receipt) keys.set(uniqueKeyTextOf(layout, receipt.item), keyOfItem(layout.names, receipt.item))
  const climbing = changes.filter(change => isTreePut(layout, change))
  const reads = priorReadSteps(layout, [...keys.values()], withDependentKeys, climbing, changes)
  const step: PlanStep = {
    id: reads.length,
    after: reads.map(({ id }) => id),
    // Computed lazily, because only prices and explanations need it. A single item is written without a
    // transaction.
    get request(): RequestTemplate {
      const [{ after }, secondItem] = estimateItems(layout, changes, receipt) as [PricedItem, PricedItem?]
      const withDependentKeys = changes.map((change): Deferred => ({ deferred: 'change', change }))
      return secondItem
        ? { operation: 'transactWriteItems', input: { TransactItems: withDependentKeys } }
        : { operation: after ? 'updateItem' : 'deleteItem', input: withDependentKeys[0]! }
    },
    changes,
    receipt,
    retry: { on: 'condition', from: 0, times: MAX_ATTEMPTS },
    notes: changes.some(({ type }) => (traitsOf(layout, type).type as DeclaredEdge).embed?.[0])
      ? ['whole items are read and written']
      : [],
    // Computed lazily, because only explanations need it.
    get price() {
      return writePrice(layout, estimateItems(layout, changes, receipt))
    },
  }
  return { steps: [...reads, step], answer }
}

function priorReadSteps(
  layout: Layout,
  keys: readonly Key[],
  withDependentKeys: readonly PlannedChange[],
  climbing: readonly PlannedChange[],
  all: readonly PlannedChange[],
): PlanStep[] {
  const options = { consistent: true }
  const steps =
    keys.length === 1
      ? [getItemStep(layout, 0, options, keys[0]!)]
      : chunksOf(keys, BATCH_GET_KEYS).map((Keys, id) =>
          readStep(layout, id, 'batchGetItem', { Keys }, options, Keys.length),
        )
  const after = steps.map(({ id }) => id)
  if (climbing.length > 0) {
    const Keys: Deferred = { deferred: 'ancestors', changes: climbing, all }
    const more = { after, notes: ['one request for each further level up to the root of the tree'] }
    steps.push(readStep(layout, steps.length, 'batchGetItem', { Keys }, options, 0, more))
  }
  if (withDependentKeys.length === 0) return steps
  // A put is assumed to write a new row.
  const expected = withDependentKeys.filter(({ verb }) => verb !== 'put' && verb !== 'create')
  const more = { after, notes: ['items that the previous items refer to'] }
  const Keys: Deferred = { deferred: 'dependentKeys', changes: withDependentKeys }
  return [...steps, readStep(layout, steps.length, 'batchGetItem', { Keys }, options, expected.length, more)]
}

type DependentKeys = Extract<Deferred, { readonly deferred: 'dependentKeys' | 'ancestors' }>

/** Whether a read before a write is repeated with further keys until none are left. */
export const isRepeated = ({ input }: RequestTemplate): boolean => {
  const { Keys } =
    Object.values((input.RequestItems ?? {}) as Record<string, { Keys: readonly Key[] | DependentKeys }>)[0] ?? {}
  return Keys !== undefined && 'deferred' in Keys && Keys.deferred === 'ancestors'
}

/** The keys that a read before a write requests, given the items read so far. Without keys the read is not sent. */
export function keysToRead(layout: Layout, { input }: RequestTemplate, readItems: ReadItems): readonly Key[] {
  if (input.Key) return [input.Key as Key]
  const { Keys } = (input.RequestItems as Record<string, { Keys: readonly Key[] | DependentKeys }>)[layout.design.name]!
  if (!('deferred' in Keys)) return Keys
  const keys = Keys.changes.flatMap(change =>
    Keys.deferred === 'ancestors'
      ? (ascend(layout, change, Keys.all, readItems).unread ?? [])
      : dependentKeysOf(layout, change, readItems),
  )
  return [...indexByKey(layout, keys).values()]
}

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
    const above = isTreePut(layout, change) ? [{ ...UNKNOWN_ITEM, verb: 'ConditionCheck' as const }] : []
    return [...items.map(after => ({ after })), ...ownerNodes, ...(owner ? [UNKNOWN_ITEM] : []), ...above]
  }
  const named = Object.keys(patch).map(slot => layout.names.attributeOf(type, slot))
  const ownItem = {
    subject: { type: type.name },
    unreadChanges: new Set([...changedIndexKeys(traits, change), ...named]),
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
const UNKNOWN_ITEM: PricedItem = { unreadChanges: new Set() }

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
  return { subject: { type: node.name }, after, unreadChanges: new Set(names) }
}
