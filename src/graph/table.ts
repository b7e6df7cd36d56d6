import type { TableDescription } from '../dynamodb/operations/table-description.js'
import type { Layout } from '../layout/layout.js'
import { fingerprintKey } from '../layout/own-items.js'
import { WriteExpression } from '../plan/write-expression.js'
import { GraphError } from '../schema/error.js'
import { mapValues } from '../schema/map-values.js'
import { systemClock } from '../store/backoff.js'
import { failureOf } from '../store/failures.js'
import type { Store } from '../store/port.js'
import { createTableRequest, timeToLiveRequest } from '../table/definition.js'
import { differences, shapeIn, tableFaults } from './drift.js'
import { driftText } from './drift-text.js'

const POLL_MS = 500
/** How often a request is sent whose answer is lost. */
const TIMES = 5

/** Finds the table of a layout as it must be, or makes it. */
export async function prepare(layout: Layout, store: Store, create: boolean, drifted: boolean): Promise<void> {
  const { design } = layout
  const TableName = design.name
  let made = false
  let table = await describe(store, TableName)
  if (!table && create) {
    made = (await isDone(() => store.createTable(createTableRequest(design)), /InUse/)) !== false
    table = await describe(store, TableName)
  }
  while (table && /^(CRE|DEL)/.test(table.TableStatus!)) {
    await systemClock.sleep(POLL_MS)
    table = await describe(store, TableName)
  }
  // Others may have deleted it meanwhile.
  if (!table)
    throw new GraphError('table.absent', `there is no table '${TableName}': create it, or open with { create: true }`)
  const faults = tableFaults(design, table)
  if (faults[0])
    throw new GraphError('table.mismatch', `the table '${TableName}' cannot serve this graph: ${faults.join('; ')}`)
  const ttl = made && timeToLiveRequest(design)
  if (ttl) await isDone(() => store.updateTimeToLive(ttl), /already enabled/)
  if (!drifted) await checkFingerprint(layout, store, create)
}

async function describe(store: Store, TableName: string): Promise<TableDescription | undefined> {
  try {
    return (await store.describeTable({ TableName })).Table
  } catch (error) {
    if ((error as Error).name === 'ResourceNotFoundException') return undefined
    throw error
  }
}

/**
 * Whether it was done, and not by another: a refusal in the words of `before` says that it was done already. Undefined
 * where that may have been this very request, whose answer was lost.
 */
export async function isDone(send: () => Promise<unknown>, before: RegExp, left = TIMES): Promise<boolean | undefined> {
  try {
    await send()
    return true
  } catch (error) {
    if (before.test(String(error))) return left < TIMES ? undefined : false
    if (left === 0 || failureOf(error) !== 'unknown') throw error
    return isDone(send, before, left - 1)
  }
}

/** A table without a fingerprint was made by others, and is adopted as the layout describes it. */
export async function checkFingerprint(layout: Layout, store: Store, create: boolean): Promise<void> {
  const TableName = layout.design.name
  const Key = fingerprintKey(layout)
  const { Item } = await store.getItem({ TableName, Key, ConsistentRead: true })
  // Held to what was read: what others have written meanwhile is looked at again.
  const write = async (values: Record<string, unknown>) => {
    const note = new WriteExpression()
    for (const name of ['fingerprint', 'since']) note.where(note.is(name, Item?.[name]))
    for (const name in values) note.set(name, { S: values[name] as string })
    if (!(await isDone(() => store.updateItem(note.into({ TableName, Key }) as never), /^Cond/)))
      await checkFingerprint(layout, store, create)
  }
  if (!Item) return create ? write(noteOf(layout)) : undefined
  const known = shapeIn(Item, layout.shape)
  const changes = differences(known, layout.shape)
  if (changes[0])
    throw new GraphError(
      'layout.drift',
      `the table '${TableName}' was written under another layout (${driftText(layout, changes)}): run backfill() of edgewise/jobs`,
      { changes },
    )
  const fresh = Object.entries(layout.shape.kinds).filter(([kind, is]) => shardsIn(is) !== shardsIn(known.kinds[kind]))
  if (!fresh[0]) return
  // What is new is written down beside the rest, by which those who do not know it go on; who reads fewer shards does not.
  const since = { ...JSON.parse(Item.since?.S ?? '{}'), ...Object.fromEntries(fresh) }
  await write({ since: JSON.stringify(since) })
}

const shardsIn = (kind: unknown) => JSON.stringify((kind as { shards?: object } | undefined)?.shards)

const noteOf = ({ fingerprint, shape }: Layout) => ({ fingerprint, shape: JSON.stringify(shape) })

/** Whatever layout was written there before. Types that came since, and that this one does not know, stay as they are. */
export async function writeFingerprint(layout: Layout, store: Store): Promise<void> {
  const TableName = layout.design.name
  const Key = fingerprintKey(layout)
  const { Item: { since } = {} } = await store.getItem({ TableName, Key, ConsistentRead: true })
  const others = Object.entries(JSON.parse(since?.S ?? '{}')).filter(
    ([kind]) => !(kind.split('.')[0]! in layout.shape.kinds),
  )
  const note = { ...noteOf(layout), ...(others[0] && { since: JSON.stringify(Object.fromEntries(others)) }) }
  const held = new WriteExpression()
  held.where(held.is('since', since))
  const input = held.into({ TableName, Item: { ...Key, ...mapValues(note, S => ({ S })) } })
  if (!(await isDone(() => store.putItem(input as never), /^Cond/))) await writeFingerprint(layout, store)
}
