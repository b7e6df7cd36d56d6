import { type ReadConsistency, readUnits } from '../dynamodb/capacity.js'
import { BATCH_GET_KEYS, PAGE_BYTES } from '../dynamodb/limits.js'
import type { Price } from './plan.js'

/** What a price is reckoned from: how large items are, and how many of them a read by a path finds. */
export interface Sizes {
  readonly itemBytes?: number | undefined
  readonly items?: number | undefined
}

/** Where nothing is known. */
export const ASSUMED = { itemBytes: 500, items: 20 }

/** The name under which a price has the table's own units: the others are those of indexes. */
export const TABLE = 'table'

export const consistency = (consistent: boolean | undefined): ReadConsistency => (consistent ? 'strong' : 'eventual')

/** Items that are read one by one, each in units of its own. */
export function pointPrice(items: number, itemBytes: number, read: ReadConsistency, requests = 1): Price {
  return { requests, read: { [TABLE]: items * readUnits(itemBytes, read) }, write: {}, consistency: read }
}

export function batchPrice(items: number, itemBytes: number, read: ReadConsistency): Price {
  return pointPrice(items, itemBytes, read, Math.ceil(items / BATCH_GET_KEYS))
}

/**
 * Items that are read together: their sizes add up before they are rounded, page by page. The item that passes the
 * megabyte is still of its page, after which another is asked for, unless a limit is reached.
 */
export function queryPrice(
  index: string | undefined,
  {
    items,
    itemBytes,
    limit = Number.POSITIVE_INFINITY,
  }: { items: number; itemBytes: number; limit?: number | undefined },
  read: ReadConsistency,
): Price {
  const rows = Math.min(items, limit)
  const perPage = Math.max(1, Math.ceil(PAGE_BYTES / itemBytes))
  const full = Math.floor(rows / perPage)
  const rest = rows - full * perPage
  const last = rest > 0 || full === 0 || rows < limit ? 1 : 0
  const units = full * readUnits(perPage * itemBytes, read) + last * readUnits(rest * itemBytes, read)
  return { requests: full + last, read: { [index ?? TABLE]: units }, write: {}, consistency: read }
}

/** What several steps take together. */
export function totalPrice(prices: readonly Price[]): Omit<Price, 'consistency'> {
  const sum = (which: 'read' | 'write') => {
    const units: Record<string, number> = {}
    for (const price of prices)
      for (const [place, amount] of Object.entries(price[which])) units[place] = (units[place] ?? 0) + amount
    return units
  }
  return { requests: prices.reduce((all, { requests }) => all + requests, 0), read: sum('read'), write: sum('write') }
}
