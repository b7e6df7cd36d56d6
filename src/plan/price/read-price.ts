import type { Item } from '../../dynamodb/attribute-value.js'
import { countReadUnits, type ReadConsistency } from '../../dynamodb/capacity.js'
import { BATCH_GET_KEYS, PAGE_BYTES } from '../../dynamodb/limits.js'
import type { ExpectedRead, Price, RequestTemplate } from '../plan.js'

/**
 * The assumptions behind a price: item size and, for a read by a path, the number of items. `existing` gives a write
 * the exact items that it reads and writes.
 */
export interface Sizes {
  readonly itemBytes?: number | undefined
  readonly items?: number | undefined
  readonly existing?: readonly Item[] | undefined
}

/** The sizes that prices assume by default. */
export const ASSUMED_SIZES = { itemBytes: 500, items: 20 }

/** The size of an index entry that holds only keys. It points to an item of any size. */
export const ENTRY_BYTES = 200

/** The name of the table's own units in a price; all other names are index names. */
export const TABLE_UNITS_KEY = 'table'

/** Prices a request by the items that it is expected to read. */
export function readPrice(
  { operation, input }: RequestTemplate,
  { items, itemBytes, consistency }: ExpectedRead,
): Price {
  const { IndexName = TABLE_UNITS_KEY, Limit = items + 1 } = input as { IndexName?: string; Limit?: number }
  if (operation !== 'query' && operation !== 'scan') return batchPrice(items, itemBytes, consistency)
  // Sizes are summed before rounding, page by page. The item that exceeds 1 MB still belongs to its page, and
  // another page is requested unless the limit is reached.
  const rows = Math.min(items, Limit)
  const perPage = Math.max(1, Math.ceil(PAGE_BYTES / itemBytes))
  const full = Math.floor(rows / perPage)
  const rest = rows - full * perPage
  const last = rest > 0 || rows < Limit ? 1 : 0
  const units =
    full * countReadUnits(perPage * itemBytes, consistency) + last * countReadUnits(rest * itemBytes, consistency)
  return priceOfReads(full + last, units, consistency, IndexName)
}

/** Prices single-item reads. Each item is rounded up to whole units. */
export function batchPrice(items: number, itemBytes: number, consistency: ReadConsistency): Price {
  return priceOfReads(Math.ceil(items / BATCH_GET_KEYS), items * countReadUnits(itemBytes, consistency), consistency)
}

/** A price of `requests` requests that read `units` of the table or of an index. */
export const priceOfReads = (
  requests: number,
  units: number,
  consistency: ReadConsistency,
  target = TABLE_UNITS_KEY,
): Price => ({
  requests,
  read: { [target]: units },
  write: {},
  consistency,
})

/** The total price of several steps. */
export function totalPrice(prices: readonly Price[]): Omit<Price, 'consistency'> {
  return {
    requests: prices.reduce((sum, { requests }) => sum + requests, 0),
    read: totalUnits(prices.map(({ read }) => read)),
    write: totalUnits(prices.map(({ write }) => write)),
  }
}

/** The sum of several unit records, by table or index name. */
export function totalUnits(all: readonly Price['read'][]): Record<string, number> {
  const total: Record<string, number> = {}
  for (const units of all) for (const place in units) total[place] = (total[place] ?? 0) + units[place]!
  return total
}
