import type { Item } from '../../dynamodb/attribute-value.js'
import { countReadUnits, type ReadConsistency } from '../../dynamodb/capacity.js'
import { BATCH_GET_KEYS, PAGE_BYTES } from '../../dynamodb/limits.js'
import type { Price, RequestTemplate } from '../plan.js'

/**
 * What a price is reckoned from: how large items are, and how many of them a read by a path finds. Of a write instead,
 * exactly: what is there of all that it reads and writes.
 */
export interface Sizes {
  readonly itemBytes?: number | undefined
  readonly items?: number | undefined
  readonly existing?: readonly Item[] | undefined
}

/** Where nothing is known. */
export const ASSUMED_SIZES = { itemBytes: 500, items: 20 }

/** How large an entry is that holds keys alone, and leads to an item of whatever size. */
export const ENTRY_BYTES = 200

/** The name under which a price has the table's own units: the others are those of indexes. */
export const TABLE_UNITS_KEY = 'table'

/** What a request takes that reads so many items. */
export function readPrice(
  { operation, input }: RequestTemplate,
  items: number,
  itemBytes: number,
  consistency: ReadConsistency,
): Price {
  const { IndexName = TABLE_UNITS_KEY, Limit = items + 1 } = input as { IndexName?: string; Limit?: number }
  if (operation !== 'query' && operation !== 'scan') return batchPrice(items, itemBytes, consistency)
  // Sizes add up before they are rounded, page by page. The item that passes the megabyte is still of its page, after
  // which another is asked for, unless a limit is reached.
  const rows = Math.min(items, Limit)
  const perPage = Math.max(1, Math.ceil(PAGE_BYTES / itemBytes))
  const full = Math.floor(rows / perPage)
  const rest = rows - full * perPage
  const last = rest > 0 || rows < Limit ? 1 : 0
  const units =
    full * countReadUnits(perPage * itemBytes, consistency) + last * countReadUnits(rest * itemBytes, consistency)
  return priceOfReads(full + last, units, consistency, IndexName)
}

/** Items that are read one by one, each in units of its own. */
export function batchPrice(items: number, itemBytes: number, consistency: ReadConsistency): Price {
  return priceOfReads(Math.ceil(items / BATCH_GET_KEYS), items * countReadUnits(itemBytes, consistency), consistency)
}

/** So many requests, and the units that they read of the table or of an index. */
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

/** What several steps take together. */
export function totalPrice(prices: readonly Price[]): Omit<Price, 'consistency'> {
  return {
    requests: prices.reduce((sum, { requests }) => sum + requests, 0),
    read: totalUnits(prices.map(({ read }) => read)),
    write: totalUnits(prices.map(({ write }) => write)),
  }
}

/** Units by place, of several together. */
export function totalUnits(all: readonly Price['read'][]): Record<string, number> {
  const total: Record<string, number> = {}
  for (const units of all) for (const place in units) total[place] = (total[place] ?? 0) + units[place]!
  return total
}
