import { toFnvHash } from '../../layout/fingerprint.js'
import { receiptKey } from '../../layout/items/internal-items.js'
import type { Layout } from '../../layout/layout.js'
import { mapValues } from '../../schema/map-values.js'
import { keyOfItem } from '../identity.js'
import type { PlannedChange, Receipt } from '../plan.js'
import { canonicalText } from '../slot-values.js'
import { type ItemWrite, itemWrite } from './effects/item-write.js'

export interface ReceiptOptions {
  /** Idempotency token. A repeated call with the same token has no effect while the receipt is stored. */
  readonly token?: string
  readonly tenant?: string | undefined
  readonly tokenTtlSeconds?: number | undefined
  readonly nowSeconds?: number
}

const DAY_SECONDS = 86_400
const RECEIPT = '$receipt'

/** The item that records a completed transaction and a digest of its changes. */
export function receiptOf(
  layout: Layout,
  changes: readonly PlannedChange[],
  options: ReceiptOptions,
): Receipt | undefined {
  const { names } = layout
  const { token, tenant, tokenTtlSeconds = DAY_SECONDS, nowSeconds = changes[0]?.nowSeconds ?? 0 } = options
  if (token === undefined) return undefined
  const item = {
    ...receiptKey(layout, token, tenant),
    [names.type]: { S: RECEIPT },
    [names.etag]: { S: toFnvHash(JSON.stringify(changes.map(requestedChangeOf))) },
    // The cap of 1e12 seconds keeps an infinite lifetime representable as a number.
    [names.expires]: { N: String(Math.min(nowSeconds + tokenTtlSeconds, 1e12)) },
  }
  return { item, token, nowSeconds }
}

/** The requested change without the members that differ between repeated calls. */
function requestedChangeOf({
  etag: _,
  nowSeconds: __,
  key: ___,
  generatedSlots = [],
  identity,
  set,
  patch,
  ...change
}: PlannedChange): unknown {
  const withoutGenerated = <T>(values: Readonly<Record<string, T>>) =>
    mapValues(values, (value, slot) => (generatedSlots.includes(slot) ? undefined : value))
  return canonicalText([{ ...change, patch: withoutGenerated(patch) }, withoutGenerated({ ...identity, ...set })])
}

export function buildReceiptWrite({ names }: Layout, { item, token, nowSeconds }: Receipt): ItemWrite {
  const subject = { type: RECEIPT, identity: { token: { S: token } }, call: -1 }
  const write = itemWrite('Put', keyOfItem(names, item), subject, 'done')
  const { expression } = write
  write.after = item
  expression.where(expression.absentOrExpired(names, true, nowSeconds))
  return write
}
