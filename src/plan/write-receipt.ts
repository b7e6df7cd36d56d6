import { hashOf } from '../layout/fingerprint.js'
import type { Layout } from '../layout/layout.js'
import { receiptKey } from '../layout/own-items.js'
import { mapValues } from '../schema/map-values.js'
import { newPart, type Part } from './change-part.js'
import { canonical } from './change-values.js'
import { keyOf } from './identity.js'
import type { Change, Receipt } from './plan.js'

export interface ReceiptOptions {
  /** Under this token the same is done once, for as long as the receipt is kept. */
  readonly token?: string
  readonly tenant?: string | undefined
  readonly keepSeconds?: number | undefined
  readonly nowSeconds?: number
}

const DAY_SECONDS = 86_400
const RECEIPT = '$receipt'

/** The item that says that a transaction was done, and what it was asked to do. */
export function receiptOf(layout: Layout, changes: readonly Change[], options: ReceiptOptions): Receipt | undefined {
  const { names } = layout
  const { token, tenant, keepSeconds = DAY_SECONDS, nowSeconds = changes[0]?.nowSeconds ?? 0 } = options
  if (token === undefined) return undefined
  const item = {
    ...receiptKey(layout, token, tenant),
    [names.type]: { S: RECEIPT },
    [names.etag]: { S: hashOf(JSON.stringify(changes.map(askedOf))) },
    // For ever is long enough in numbers.
    [names.expires]: { N: String(Math.min(nowSeconds + keepSeconds, 1e12)) },
  }
  return { item, token, nowSeconds }
}

/** What a change was asked to do: without what differs each time that it is asked. */
function askedOf({ etag: _, nowSeconds: __, made = [], identity, set, patch, ...change }: Change): unknown {
  const given = <T>(values: Readonly<Record<string, T>>) =>
    mapValues(values, (value, slot) => (made.includes(slot) ? undefined : value))
  return canonical([{ ...change, patch: given(patch) }, given({ ...identity, ...set })])
}

export function receiptPart({ names }: Layout, { item, token, nowSeconds }: Receipt): Part {
  const about = { type: RECEIPT, identity: { token: { S: token } }, call: -1 }
  const part = newPart('Put', keyOf(names, item), about, 'done')
  const { expression } = part
  part.after = item
  expression.where(expression.free(names, true, nowSeconds))
  return part
}
