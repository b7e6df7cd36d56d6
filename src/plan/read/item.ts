import type { Key } from '../../dynamodb/attribute-value.js'
import type { Kind } from '../../layout/kinds.js'
import type { Layout } from '../../layout/layout.js'
import { normalizeEnds } from '../../layout/slots.js'
import { accessByName, encodeIdentity, ownKindByName, tableKeyOf, tenantValues } from '../identity.js'
import { encodeParts } from '../members.js'
import type { ItemShape, Plan, PlanStep, SeveralShape, SlotValues } from '../plan.js'
import { ENTRY_BYTES } from '../price/read-price.js'
import { readStep } from '../step.js'
import { traitsOf } from '../type-traits.js'
import { combineReads } from './combined-read.js'
import type { ReadOptions } from './options.js'

/** Plans reading a node by its id, or an edge by its ends and key. */
export function planGet(layout: Layout, type: string, identity: unknown, options: ReadOptions = {}): Plan {
  const kind = ownKindByName(layout, type)
  const { key, answer } = itemReadOf(layout, kind, identity, options)
  return { steps: [getItemStep(layout, 0, options, key)], answer }
}

/** Plans checking whether a row exists. DynamoDB bills the whole item. */
export function planExists(layout: Layout, type: string, identity: unknown, options: ReadOptions = {}): Plan {
  const { steps, answer } = planGet(layout, type, identity, options)
  return { steps, answer: { ...(answer as ItemShape), shape: 'exists' } }
}

/** Plans reading several rows by id, each with a single read. A missing row is undefined in its place. */
export function planMany(layout: Layout, type: string, ids: readonly unknown[], options: ReadOptions = {}): Plan {
  const kind = ownKindByName(layout, type)
  const reads = ids.map(id => itemReadOf(layout, kind, id, options))
  return combineReads(layout, reads, 'batchGetItem', options)
}

/**
 * The key and the decoding of a single read. An undirected edge is stored under the lesser of its ends, and is
 * returned as requested.
 */
function itemReadOf(
  layout: Layout,
  kind: Kind,
  identity: unknown,
  { tenant }: ReadOptions,
): SeveralShape['of'][number] {
  const { type, name } = kind
  const values = encodeIdentity(type, identity)
  const orderedValues = normalizeEnds(type, values)
  const key = tableKeyOf(layout, kind, { ...tenantValues(tenant), ...orderedValues })
  const answer: { -readonly [K in keyof ItemShape]: ItemShape[K] } = { shape: 'row', step: 0, kind: name }
  // These slots are not in the key, so the stored item may be a different edge.
  for (const slot of traitsOf(layout, name).replaceableEnds)
    answer.identity = { ...answer.identity, [slot]: orderedValues[slot]! }
  if (orderedValues !== values) answer.endsSwapped = true
  return { key, answer }
}

export const getItemStep = (layout: Layout, id: number, options: ReadOptions, Key: Key, itemBytes?: number): PlanStep =>
  readStep(layout, id, 'getItem', { Key }, options, 1, {}, itemBytes)

/** Plans reading a node by a unique attribute. The sentinel item of the value holds the node's id. */
export function planUnique(
  layout: Layout,
  typeName: string,
  attribute: string,
  value: unknown,
  options: ReadOptions = {},
): Plan {
  const kind = ownKindByName(layout, typeName)
  const { name, type } = kind
  const sentinel = accessByName(layout, typeName, attribute, true).kind
  const uniqueValue: SlotValues = encodeParts(type, { [attribute]: value })
  const key = tableKeyOf(layout, sentinel, { ...tenantValues(options.tenant), ...uniqueValue })
  const sentinelStep = getItemStep(layout, 0, options, key, ENTRY_BYTES)
  const selection = { steps: [0], reverse: false, kind: sentinel.name }
  const deferredKeys = { deferred: 'keys', selection, kind: name } as const
  const step = readStep(layout, 1, 'getItem', {}, options, 1, { after: [0], deferredKeys })
  return { steps: [sentinelStep, step], answer: { shape: 'row', step: 1, kind: name, identity: uniqueValue } }
}
