import type { Item } from '../dynamodb/attribute-value.js'
import { readUnits } from '../dynamodb/capacity.js'
import { itemBytes } from '../dynamodb/size.js'
import type { Layout } from '../layout/layout.js'
import { partsOf } from './change.js'
import type { Before } from './change-part.js'
import { byKey, keyText } from './identity.js'
import type { Change, Plan, Price, Step } from './plan.js'
import { batchPrice, readsOf, type Sizes, TABLE } from './price.js'
import { askedKeys, estimated } from './write-plan.js'
import { writePrice } from './write-price.js'
import { sentParts } from './write-request.js'

/** A write with what it takes where these items are there; or where those that it must find are of that size. */
export function pricedWrite(layout: Layout, plan: Plan, { there, itemBytes: bytes }: Sizes): Plan {
  const reads = plan.steps.slice(0, -1)
  const write = plan.steps.at(-1)
  // Before the last of a deletion come others than its reads, which are priced already.
  if (!write?.changes || write.after.length < reads.length || !(there || bytes)) return plan
  const { changes, receipt, known: request } = write
  const items = byKey(layout, there ?? [])
  const known = new Map<string, Before>()
  const steps = reads.map((step): Step => {
    if (!there) return { ...step, price: batchPrice(step.price.read[TABLE]!, bytes!, 'strong') }
    const asked = askedKeys(layout, step.request, items).map(key => keyText(layout, key))
    let units = 0
    for (const text of asked) {
      const item = items.get(text) ?? null
      known.set(text, item)
      units += readUnits(item ? itemBytes(item) : 0, 'strong')
    }
    // Nothing is sent where nothing is asked for.
    return { ...step, price: readsOf(Math.min(1, asked.length), units, 'strong') }
  })
  const sent = () => sentParts(layout, changes, receipt, reads[0] && known)
  const price = there
    ? exactPrice(layout, changes, items, sent())
    : writePrice(layout, request ? sent() : estimated(layout, changes, receipt), bytes)
  return { ...plan, steps: [...steps, { ...write, price }] }
}

/** What is sent knows of what was read alone; what it makes of each item is told by all that is there. */
function exactPrice(
  layout: Layout,
  changes: readonly Change[],
  items: ReadonlyMap<string, Item>,
  sent: ReturnType<typeof sentParts>,
): Price {
  const all = partsOf(layout, changes, { get: text => items.get(text) ?? null })
  const known = new Map(all.map(part => [keyText(layout, part.key), part]))
  const parts = sent.map(part => {
    const text = keyText(layout, part.key)
    return { ...(known.get(text) ?? part), before: items.get(text), unread: undefined }
  })
  // Another edge in its place, or none, the store refuses to delete: that costs a write which no answer tells.
  return { ...writePrice(layout, parts), ...(sent[0]?.refused === 'nothing' && !all[0] && { write: {} }) }
}
