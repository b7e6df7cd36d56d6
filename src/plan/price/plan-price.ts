import type { Item } from '../../dynamodb/attribute-value.js'
import { countReadUnits } from '../../dynamodb/capacity.js'
import { countItemBytes } from '../../dynamodb/size.js'
import type { Layout } from '../../layout/layout.js'
import { indexByKey, uniqueKeyTextOf } from '../identity.js'
import type { Plan, PlannedChange, PlanStep, Price, RequestTemplate } from '../plan.js'
import { itemWritesOf } from '../write/effects/apply-changes.js'
import type { PriorItem, ReadItems } from '../write/effects/item-write.js'
import { isRepeated, keysToRead } from '../write/plan-changes.js'
import { collectItemWrites } from '../write/request.js'
import { assertItemSizes } from '../write/size-checks.js'
import { batchPrice, priceOfReads, readPrice, type Sizes, totalPrice } from './read-price.js'
import { estimateItems } from './write-estimates.js'
import { type PricedItem, writePrice } from './write-price.js'

/** A plan with the price of each step. It is plain data, like the plan itself. */
export interface PricedPlan extends Plan {
  readonly steps: readonly PricedStep[]
}

/** One request of a plan, or one request for each page or chunk, with its price. */
export interface PricedStep extends PlanStep {
  readonly price: Price
}

const NO_UNITS: Price = { requests: 1, read: {}, write: {}, consistency: undefined }

/** Prices a plan for the expected reads, or for the given existing items or item size. */
export function pricePlan(layout: Layout, plan: Plan, sizes: Sizes = {}): PricedPlan {
  const priced = new Map<number, PricedStep>()
  for (const step of plan.steps)
    if (step.changes && !step.writeRequest && !step.isRefused) {
      const reads = step.after.map(id => plan.steps[id]!)
      for (const each of priceDeferredWrite(layout, reads, step, sizes)) priced.set(each.id, each)
    }
  return { ...plan, steps: plan.steps.map(step => priced.get(step.id) ?? priceStep(layout, step, sizes)) }
}

/** Prices a step whose request is known. */
export function priceStep(layout: Layout, step: PlanStep, sizes: Sizes = {}): PricedStep {
  const { request, expected, changes, receipt, writeRequest, batched, isRefused } = step
  if (expected) return { ...step, price: readPrice(request, expected) }
  if (batched) {
    const total = totalPrice(batched.map(each => priceStep(layout, each, sizes).price))
    return { ...step, price: { ...total, requests: 1, consistency: undefined } }
  }
  if (!changes || isRefused) return { ...step, price: NO_UNITS }
  const { existing, itemBytes } = sizes
  const { itemWrites } = writeRequest!
  if (!existing) return { ...step, price: writePrice(layout, itemWrites, itemBytes) }
  const sent = collectItemWrites(layout, changes, receipt)
  return { ...step, price: exactPrice(layout, changes, indexByKey(layout, existing), sent) }
}

/** Prices a write with the reads that precede it. */
function priceDeferredWrite(
  layout: Layout,
  reads: readonly PlanStep[],
  write: PlanStep,
  { existing, itemBytes }: Sizes,
): PricedStep[] {
  const { receipt } = write
  const changes = write.changes!
  const estimated = estimateItems(layout, changes, receipt)
  const outlined = { ...write, request: outlineRequest(write, estimated) }
  if (!existing) {
    const pricedReads = reads.map(step => {
      const { items, itemBytes: assumedBytes } = step.expected!
      return { ...step, price: batchPrice(items, itemBytes ?? assumedBytes, 'strong') }
    })
    return [...pricedReads, { ...outlined, price: writePrice(layout, estimated, itemBytes) }]
  }
  const items = indexByKey(layout, existing)
  const readItems = new Map<string, PriorItem>()
  const pricedReads = reads.map(step => ({ ...step, price: priceOfReading(layout, step.request, items, readItems) }))
  const sent = collectItemWrites(layout, changes, receipt, readItems)
  return [...pricedReads, { ...outlined, price: exactPrice(layout, changes, items, sent) }]
}

/** The expected operation of a write that depends on items. A single item is written without a transaction. */
function outlineRequest({ request, changes }: PlanStep, estimated: readonly PricedItem[]): RequestTemplate {
  const [{ after }, secondItem] = estimated as [PricedItem, PricedItem?]
  if (secondItem) return request
  return { operation: after ? 'updateItem' : 'deleteItem', input: { deferred: 'change', change: changes![0]! } }
}

/** Reads the existing items as a step does, and adds them to `readItems`. A read without keys is not sent. */
function priceOfReading(
  layout: Layout,
  request: RequestTemplate,
  items: ReadItems,
  readItems: Map<string, PriorItem>,
): Price {
  let requests = 0
  let units = 0
  for (let keys = keysToRead(layout, request, readItems); keys.length > 0; requests++) {
    for (const text of keys.map(key => uniqueKeyTextOf(layout, key))) {
      const item = items.get(text) ?? null
      readItems.set(text, item)
      units += countReadUnits(item ? countItemBytes(item) : 0, 'strong')
    }
    keys = isRepeated(request) ? keysToRead(layout, request, readItems) : []
  }
  return priceOfReads(requests, units, 'strong')
}

/**
 * The plan determines which items are written from the items that it reads; all existing items determine their
 * contents.
 */
function exactPrice(
  layout: Layout,
  changes: readonly PlannedChange[],
  items: ReadonlyMap<string, Item>,
  sent: ReturnType<typeof collectItemWrites>,
): Price {
  const computed = itemWritesOf(layout, changes, { get: text => items.get(text) ?? null })
  const byKey = new Map(computed.map(write => [uniqueKeyTextOf(layout, write.key), write]))
  const parts = sent.map(write => {
    const text = uniqueKeyTextOf(layout, write.key)
    return { ...(byKey.get(text) ?? write), before: items.get(text), unreadChanges: undefined }
  })
  assertItemSizes(layout, parts)
  // The store rejects deleting an edge when another edge, or no edge, is in its place. The rejected delete is
  // billed as a write, but the response does not report its units.
  return {
    ...writePrice(layout, parts),
    ...(sent[0]?.onConditionFailed === 'nothing' && computed.length === 0 && { write: {} }),
  }
}
