import type { Item, Key } from '../../dynamodb/attribute-value.js'
import { BATCH_WRITE_ITEMS } from '../../dynamodb/limits.js'
import { PRICE_REGION_AND_DATE, READ_MILLION_DOLLARS, WRITE_MILLION_DOLLARS } from '../../dynamodb/prices.js'
import { memory } from '../../engine/index.js'
import { backfill } from '../../jobs/backfill/backfill.js'
import type { Layout } from '../../layout/layout.js'
import type { Units } from '../../store/capacity-usage.js'
import { metered } from '../../store/metered-store.js'
import type { Service, Store } from '../../store/port.js'
import { toCreateTableInput } from '../../table/table-definition.js'
import { formatCount } from '../terminal/output.js'

/** The outcome of a backfill on a copy of the table. */
export interface DryRun {
  /** Items in the table. */
  readonly items: number
  /** Nodes and edges that the backfill changed in the copy. */
  readonly changed: number
  /** Capacity that the backfill consumed on the copy. */
  readonly units: Units
  /** The price of these units on demand. */
  readonly dollars: number
  readonly pricesOf: string
  /** Capacity that the dry run itself consumed on the table. */
  readonly spent: Units
}

interface DryRunInput {
  readonly layout: Layout
  readonly from: Layout | undefined
  readonly store: Service
  readonly table: string
  readonly signal: AbortSignal
  readonly progress: (items: number) => void
}

/**
 * Runs a backfill on a copy of the table in memory and counts its capacity. Whether an item changes depends on its edges,
 * nodes and mirrors, so only a run on all of them gives exact numbers. Inconsistencies that would stop the backfill stop
 * the dry run too.
 */
export async function dryRunBackfill({ layout, from, store, table, signal, progress }: DryRunInput): Promise<DryRun> {
  const copy = memory()
  await copy.createTable(toCreateTableInput(layout.design, { table }))
  const source = metered(store)
  const items = await copyItems({ source: source.store, copy, table, signal, progress })
  const target = metered(copy)
  const { changed } = await backfill(layout, target.store, { table, signal, ...(from && { from }) })
  const units = pickUnits(target.meter.snapshot().tables[table])
  const dollars = (units.read * READ_MILLION_DOLLARS + units.write * WRITE_MILLION_DOLLARS) / 1_000_000
  const spent = pickUnits(source.meter.snapshot().tables[table])
  return { items, changed, units, dollars, pricesOf: PRICE_REGION_AND_DATE, spent }
}

interface CopyOptions extends Pick<DryRunInput, 'table' | 'signal' | 'progress'> {
  readonly source: Store
  readonly copy: Store
}

async function copyItems({ source, copy, table: TableName, signal, progress }: CopyOptions): Promise<number> {
  let items = 0
  let start: Key | undefined
  do {
    signal.throwIfAborted()
    const page = await source.scan({ TableName, ...(start && { ExclusiveStartKey: start }) })
    await putItems(copy, TableName, page.Items ?? [])
    items += page.Items?.length ?? 0
    progress(items)
    start = page.LastEvaluatedKey
  } while (start)
  return items
}

async function putItems(copy: Store, table: string, items: readonly Item[]): Promise<void> {
  for (let start = 0; start < items.length; start += BATCH_WRITE_ITEMS) {
    const puts = items.slice(start, start + BATCH_WRITE_ITEMS).map(Item => ({ PutRequest: { Item } }))
    await copy.batchWriteItem({ RequestItems: { [table]: puts } })
  }
}

const pickUnits = ({ read, write }: Units = { read: 0, write: 0 }): Units => ({ read, write })

/** Formats the outcome for people. */
export function formatDryRun(table: string, { items, changed, units, dollars, pricesOf, spent }: DryRun): string {
  const price = dollars > 0 && dollars < 0.01 ? 'less than $0.01' : `$${dollars.toFixed(2)}`
  return [
    `A backfill of ${table} would read ${formatCount(items, 'item')} and change ${formatCount(changed, 'item')}.`,
    `Capacity: ${formatCount(units.read, 'read unit')}, ${formatCount(units.write, 'write unit')}.`,
    `Price: ${price} on demand (${pricesOf}).`,
    `Nothing was written. The dry run consumed ${formatCount(spent.read, 'read unit')}.`,
  ].join('\n')
}
