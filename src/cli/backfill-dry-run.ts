import type { Item, Key } from '../dynamodb/attribute-value.js'
import { PRICES_OF, READ_MILLION_DOLLARS, WRITE_MILLION_DOLLARS } from '../dynamodb/dollars.js'
import { BATCH_WRITE_ITEMS } from '../dynamodb/limits.js'
import { memory } from '../engine/index.js'
import { backfill } from '../jobs/backfill.js'
import type { Layout } from '../layout/layout.js'
import type { Units } from '../store/meter.js'
import { metered } from '../store/metered.js'
import type { Service, Store } from '../store/port.js'
import { createTableRequest } from '../table/definition.js'
import { counted } from './output.js'

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
  await copy.createTable(createTableRequest(layout.design, { table }))
  const source = metered(store)
  const items = await copyItems({ source: source.store, copy, table, signal, progress })
  const target = metered(copy)
  const { changed } = await backfill(layout, target.store, { table, signal, ...(from && { from }) })
  const units = unitsOf(target.meter.snapshot().tables[table])
  const dollars = (units.read * READ_MILLION_DOLLARS + units.write * WRITE_MILLION_DOLLARS) / 1_000_000
  const spent = unitsOf(source.meter.snapshot().tables[table])
  return { items, changed, units, dollars, pricesOf: PRICES_OF, spent }
}

interface Copying extends Pick<DryRunInput, 'table' | 'signal' | 'progress'> {
  readonly source: Store
  readonly copy: Store
}

async function copyItems({ source, copy, table: TableName, signal, progress }: Copying): Promise<number> {
  let items = 0
  let start: Key | undefined
  do {
    signal.throwIfAborted()
    const page = await source.scan({ TableName, ...(start && { ExclusiveStartKey: start }) })
    await putAll(copy, TableName, page.Items ?? [])
    items += page.Items?.length ?? 0
    progress(items)
    start = page.LastEvaluatedKey
  } while (start)
  return items
}

async function putAll(copy: Store, table: string, items: readonly Item[]): Promise<void> {
  for (let at = 0; at < items.length; at += BATCH_WRITE_ITEMS) {
    const puts = items.slice(at, at + BATCH_WRITE_ITEMS).map(Item => ({ PutRequest: { Item } }))
    await copy.batchWriteItem({ RequestItems: { [table]: puts } })
  }
}

const unitsOf = ({ read, write }: Units = { read: 0, write: 0 }): Units => ({ read, write })

/** The text for people. */
export function dryRunText(table: string, { items, changed, units, dollars, pricesOf, spent }: DryRun): string {
  const price = dollars > 0 && dollars < 0.01 ? 'less than $0.01' : `$${dollars.toFixed(2)}`
  return [
    `A backfill of ${table} would read ${counted(items, 'item')} and change ${counted(changed, 'item')}.`,
    `Capacity: ${counted(units.read, 'read unit')}, ${counted(units.write, 'write unit')}.`,
    `Price: ${price} on demand (${pricesOf}).`,
    `Nothing was written. The dry run consumed ${counted(spent.read, 'read unit')}.`,
  ].join('\n')
}
