import type { Item } from '../../dynamodb/attribute-value.js'
import { countReadUnits } from '../../dynamodb/capacity.js'
import { countItemBytes } from '../../dynamodb/size.js'
import type { Layout } from '../../layout/layout.js'
import { indexByKey, uniqueKeyTextOf } from '../identity.js'
import type { Plan, PlannedChange, PlanStep, Price } from '../plan.js'
import { itemWritesOf } from '../write/effects/apply-changes.js'
import type { PriorItem } from '../write/effects/item-write.js'
import { estimateItems, isRepeated, keysToRead } from '../write/plan-changes.js'
import { collectItemWrites } from '../write/request.js'
import { batchPrice, priceOfReads, type Sizes, TABLE_UNITS_KEY } from './read-price.js'
import { writePrice } from './write-price.js'

/** Prices a write for the given existing items, or for the given item size. */
export function priceWrite(layout: Layout, plan: Plan, { existing, itemBytes: bytes }: Sizes): Plan {
  const reads = plan.steps.slice(0, -1)
  const write = plan.steps.at(-1)
  // The last step of a deletion follows steps other than its reads, and these are already priced.
  if (!write?.changes || write.after.length < reads.length || !(existing || bytes)) return plan
  const { changes, receipt, writeRequest: request } = write
  const items = indexByKey(layout, existing ?? [])
  const readItems = new Map<string, PriorItem>()
  const steps = reads.map((step): PlanStep => {
    if (!existing) return { ...step, price: batchPrice(step.price.read[TABLE_UNITS_KEY]!, bytes!, 'strong') }
    let requests = 0
    let units = 0
    // A read without keys is not sent.
    for (let keyTexts = keysToRead(layout, step.request, readItems); keyTexts.length > 0; requests++) {
      for (const text of keyTexts.map(key => uniqueKeyTextOf(layout, key))) {
        const item = items.get(text) ?? null
        readItems.set(text, item)
        units += countReadUnits(item ? countItemBytes(item) : 0, 'strong')
      }
      keyTexts = isRepeated(step.request) ? keysToRead(layout, step.request, readItems) : []
    }
    return { ...step, price: priceOfReads(requests, units, 'strong') }
  })
  const itemWrites = () => collectItemWrites(layout, changes, receipt, reads.length > 0 ? readItems : undefined)
  const price = existing
    ? exactPrice(layout, changes, items, itemWrites())
    : writePrice(layout, request ? itemWrites() : estimateItems(layout, changes, receipt), bytes)
  return { ...plan, steps: [...steps, { ...write, price }] }
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
  // The store rejects deleting an edge when another edge, or no edge, is in its place. The rejected delete is
  // billed as a write, but the response does not report its units.
  return {
    ...writePrice(layout, parts),
    ...(sent[0]?.onConditionFailed === 'nothing' && computed.length === 0 && { write: {} }),
  }
}
