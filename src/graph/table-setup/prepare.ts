import type { TableDescription } from '../../dynamodb/operation-types.js'
import { fingerprintKey } from '../../layout/items/internal-items.js'
import type { Layout } from '../../layout/layout.js'
import { WriteExpression } from '../../plan/write/expression.js'
import { GraphError } from '../../schema/error.js'
import { mapValues } from '../../schema/map-values.js'
import { systemClock } from '../../store/backoff.js'
import { failureKindOf } from '../../store/failure-kind.js'
import type { Store } from '../../store/port.js'
import { toCreateTableInput, toTimeToLiveInput } from '../../table/table-definition.js'
import { findLayoutChanges, findTableFaults, storedShapeOf } from './drift.js'
import { describeDrift } from './drift-text.js'

const POLL_MS = 500
/** The number of attempts for a request whose response is lost. */
const MAX_RETRIES = 5

/** Checks that the table fits the layout, or creates the table. */
export async function prepareTable(layout: Layout, store: Store, create: boolean, allowsDrift: boolean): Promise<void> {
  const { design } = layout
  const TableName = design.name
  let isCreated = false
  let table = await describeTableOrUndefined(store, TableName)
  if (!table && create) {
    isCreated = (await applyOnce(() => store.createTable(toCreateTableInput(design)), /InUse/)) !== false
    table = await describeTableOrUndefined(store, TableName)
  }
  while (table && /^(CRE|DEL)/.test(table.TableStatus!)) {
    await systemClock.sleep(POLL_MS)
    table = await describeTableOrUndefined(store, TableName)
  }
  // Another process may have deleted the table meanwhile.
  if (!table)
    throw new GraphError(
      'table.absent',
      `table '${TableName}': the table does not exist; create it, or open with { create: true }.`,
    )
  const faults = findTableFaults(design, table)
  if (faults.length > 0)
    throw new GraphError(
      'table.mismatch',
      `table '${TableName}': it cannot serve this graph because ${faults.join(' and ')}; change the table or the layout.`,
    )
  const ttl = isCreated && toTimeToLiveInput(design)
  if (ttl) await applyOnce(() => store.updateTimeToLive(ttl), /already enabled/)
  if (!allowsDrift) await checkFingerprint(layout, store, create)
}

async function describeTableOrUndefined(store: Store, TableName: string): Promise<TableDescription | undefined> {
  try {
    return (await store.describeTable({ TableName })).Table
  } catch (error) {
    if ((error as Error).name === 'ResourceNotFoundException') return undefined
    throw error
  }
}

/**
 * Sends a request and returns whether it took effect here. An error that matches `alreadyApplied` means that it was
 * applied before. Returns undefined when the earlier application may have been this request with a lost response.
 */
export async function applyOnce(
  send: () => Promise<unknown>,
  alreadyApplied: RegExp,
  retriesLeft = MAX_RETRIES,
): Promise<boolean | undefined> {
  try {
    await send()
    return true
  } catch (error) {
    if (alreadyApplied.test(String(error))) return retriesLeft < MAX_RETRIES ? undefined : false
    if (retriesLeft === 0 || failureKindOf(error) !== 'unknown') throw error
    return applyOnce(send, alreadyApplied, retriesLeft - 1)
  }
}

/**
 * Compares the layout with the fingerprint of the table. A table without a fingerprint was created by another
 * program, and is adopted as the layout describes it.
 */
export async function checkFingerprint(layout: Layout, store: Store, create: boolean): Promise<void> {
  const TableName = layout.design.name
  const Key = fingerprintKey(layout)
  const { Item } = await store.getItem({ TableName, Key, ConsistentRead: true })
  // Writes under the condition that the fingerprint is unchanged. After a concurrent change, it is checked
  // again.
  const write = async (values: Record<string, unknown>) => {
    const update = new WriteExpression()
    for (const name of ['fingerprint', 'since']) update.where(update.equalsOrMissing(name, Item?.[name]))
    for (const name in values) update.set(name, { S: values[name] as string })
    if (!(await applyOnce(() => store.updateItem(update.addWriteTo({ TableName, Key }) as never), /^Cond/)))
      await checkFingerprint(layout, store, create)
  }
  if (!Item) return create ? write(fingerprintValues(layout)) : undefined
  const storedShape = storedShapeOf(Item, layout.shape)
  const changes = findLayoutChanges(storedShape, layout.shape)
  if (changes.length > 0)
    throw new GraphError(
      'layout.drift',
      `table '${TableName}': it was written under another layout (${describeDrift(layout, changes)}); run backfill() of edgewise/jobs, or open it with that layout.`,
      { changes },
    )
  const newKinds = Object.entries(layout.shape.kinds).filter(
    ([kind, is]) => shardsIn(is) !== shardsIn(storedShape.kinds[kind]),
  )
  if (newKinds.length === 0) return
  // Additions are stored next to the fingerprint, so that older clients continue to work. Clients that would
  // read too few shards do not.
  const since = { ...JSON.parse(Item.since?.S ?? '{}'), ...Object.fromEntries(newKinds) }
  await write({ since: JSON.stringify(since) })
}

const shardsIn = (kind: unknown) => JSON.stringify((kind as { shards?: object } | undefined)?.shards)

const fingerprintValues = ({ fingerprint, shape }: Layout) => ({ fingerprint, shape: JSON.stringify(shape) })

/** Replaces the stored fingerprint. Types that were added since, and that this layout does not know, remain. */
export async function writeFingerprint(layout: Layout, store: Store): Promise<void> {
  const TableName = layout.design.name
  const Key = fingerprintKey(layout)
  const { Item: { since } = {} } = await store.getItem({ TableName, Key, ConsistentRead: true })
  const otherKinds = Object.entries(JSON.parse(since?.S ?? '{}')).filter(
    ([kind]) => !(kind.split('.')[0]! in layout.shape.kinds),
  )
  const values = {
    ...fingerprintValues(layout),
    ...(otherKinds.length > 0 && { since: JSON.stringify(Object.fromEntries(otherKinds)) }),
  }
  const condition = new WriteExpression()
  condition.where(condition.equalsOrMissing('since', since))
  const input = condition.addWriteTo({ TableName, Item: { ...Key, ...mapValues(values, S => ({ S })) } })
  if (!(await applyOnce(() => store.putItem(input as never), /^Cond/))) await writeFingerprint(layout, store)
}
