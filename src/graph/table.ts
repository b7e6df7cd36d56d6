import type { TableDescription } from '../dynamodb/operations/table-description.js'
import type { Layout } from '../layout/layout.js'
import { fingerprintKey } from '../layout/own-items.js'
import { GraphError } from '../schema/error.js'
import { systemClock } from '../store/backoff.js'
import type { Store } from '../store/port.js'
import { createTableRequest, timeToLiveRequest } from '../table/definition.js'
import { differences, tableFaults } from './drift.js'

const POLL_MS = 500

const isNamed = (error: unknown, name: string) => (error as { name?: string } | undefined)?.name === name

/** Finds the table of a layout as it must be, or makes it. */
export async function prepare(layout: Layout, store: Store, create: boolean, drifted: boolean): Promise<void> {
  const { design } = layout
  const TableName = design.name
  let made = false
  let table = await describe(store, TableName)
  if (!table) {
    if (!create)
      throw new GraphError('table.absent', `there is no table '${TableName}': create it, or open with { create: true }`)
    made = await createTable(layout, store)
    table = await describe(store, TableName)
  }
  while (table && table.TableStatus !== 'ACTIVE' && table.TableStatus !== 'UPDATING') {
    await systemClock.sleep(POLL_MS)
    table = await describe(store, TableName)
  }
  if (!table) throw new GraphError('table.absent', `the table '${TableName}' was deleted meanwhile`)
  const faults = tableFaults(design, table)
  if (faults.length > 0)
    throw new GraphError('table.mismatch', `the table '${TableName}' cannot serve this graph: ${faults.join('; ')}`)
  const ttl = made ? timeToLiveRequest(design) : undefined
  if (ttl) await store.updateTimeToLive(ttl)
  if (!drifted) await checkFingerprint(layout, store, create)
}

async function describe(store: Store, TableName: string): Promise<TableDescription | undefined> {
  try {
    return (await store.describeTable({ TableName })).Table
  } catch (error) {
    if (isNamed(error, 'ResourceNotFoundException')) return undefined
    throw error
  }
}

/** False where another made it in the same moment. */
async function createTable({ design }: Layout, store: Store): Promise<boolean> {
  try {
    await store.createTable(createTableRequest(design))
    return true
  } catch (error) {
    if (isNamed(error, 'ResourceInUseException')) return false
    throw error
  }
}

/** A table without a fingerprint was made by others, and is adopted as the layout describes it. */
async function checkFingerprint(layout: Layout, store: Store, create: boolean): Promise<void> {
  const TableName = layout.design.name
  const Key = fingerprintKey(layout)
  const { Item } = await store.getItem({ TableName, Key, ConsistentRead: true })
  if (!Item) {
    if (create) await writeFingerprint(layout, store)
    return
  }
  if (Item.fingerprint?.S === layout.fingerprint) return
  const changes = differences(JSON.parse(Item.shape?.S ?? '{}'), layout.shape)
  if (changes.length > 0)
    throw new GraphError(
      'layout.drift',
      `the table '${TableName}' was written under another layout (${changes.join('; ')}): backfill() of edgewise/jobs brings its items up, beside writers that open with { drift: 'allow' }`,
    )
}

export async function writeFingerprint(layout: Layout, store: Store): Promise<void> {
  const { design, fingerprint, shape } = layout
  const Item = { ...fingerprintKey(layout), fingerprint: { S: fingerprint }, shape: { S: JSON.stringify(shape) } }
  await store.putItem({ TableName: design.name, Item })
}
