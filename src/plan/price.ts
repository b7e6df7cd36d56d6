import type { Item } from '../dynamodb/attribute-value.js'
import { type ReadConsistency, readUnits } from '../dynamodb/capacity.js'
import { BATCH_GET_KEYS, PAGE_BYTES } from '../dynamodb/limits.js'
import type { Draft, Price } from './plan.js'

/**
 * What a price is reckoned from: how large items are, and how many of them a read by a path finds. Of a write instead,
 * exactly: what is there of all that it reads and writes.
 */
export interface Sizes {
  readonly itemBytes?: number | undefined
  readonly items?: number | undefined
  readonly there?: readonly Item[] | undefined
}

/** Where nothing is known. */
export const ASSUMED = { itemBytes: 500, items: 20 }

/** How large an entry is that holds keys alone, and leads to an item of whatever size. */
export const ENTRY_BYTES = 200

/** The name under which a price has the table's own units: the others are those of indexes. */
export const TABLE = 'table'

/** What a request takes that reads so many items. */
export function readPrice({ operation, input }: Draft, items: number, itemBytes: number, read: ReadConsistency): Price {
  const { IndexName = TABLE, Limit = items + 1 } = input as { IndexName?: string; Limit?: number }
  if (operation !== 'query' && operation !== 'scan') return batchPrice(items, itemBytes, read)
  // Sizes add up before they are rounded, page by page. The item that passes the megabyte is still of its page, after
  // which another is asked for, unless a limit is reached.
  const rows = Math.min(items, Limit)
  const perPage = Math.max(1, Math.ceil(PAGE_BYTES / itemBytes))
  const full = Math.floor(rows / perPage)
  const rest = rows - full * perPage
  const last = rest > 0 || rows < Limit ? 1 : 0
  const units = full * readUnits(perPage * itemBytes, read) + last * readUnits(rest * itemBytes, read)
  return readsOf(full + last, units, read, IndexName)
}

/** Items that are read one by one, each in units of its own. */
export function batchPrice(items: number, itemBytes: number, read: ReadConsistency): Price {
  return readsOf(Math.ceil(items / BATCH_GET_KEYS), items * readUnits(itemBytes, read), read)
}

/** So many requests, and the units that they read of the table or of an index. */
export const readsOf = (requests: number, units: number, consistency: ReadConsistency, place = TABLE): Price => ({
  requests,
  read: { [place]: units },
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
