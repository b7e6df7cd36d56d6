import { GraphError } from '../../schema/error.js'
import type { AbortSignalLike } from '../../store/abort-signal.js'
import { embeddedServicesOf } from '../../store/embedded.js'
import type { Store, Streams } from '../../store/port.js'
import { retrying } from '../../store/retry.js'
import { consumersDesign, consumersName } from '../../table/production/consumers-table.js'
import { toCreateTableInput } from '../../table/table-definition.js'
import type { Consumer } from '../port.js'
import { tableNameOfStream } from './lease.js'
import { Ledger } from './ledger.js'
import { type EmbeddedStreamInfo, type FollowOptions, resolveFollowSettings } from './settings.js'
import { type FollowStats, ShardCoordinator } from './shard-coordinator.js'
import { hasErrorName } from './transient-errors.js'

/** A follower of a table's stream, at work until it is stopped. */
export interface StreamFollower {
  /** Finishes the current batch and releases the shards. */
  stop(): Promise<void>
  /** Resolves when all earlier writes are handled and, with `heal`, all gaps are healed. */
  settled(): Promise<void>
  /** Reads new records at once, without waiting for the next poll. */
  wake(): void
  stats(): FollowStats
}

const POLL_MS = 500

/** Starts a follower of the stream of the consumer's table. */
export async function startFollower(
  consumer: Consumer,
  store: Store & Streams,
  options: FollowOptions = {},
  inProcess?: EmbeddedStreamInfo,
): Promise<StreamFollower> {
  if (typeof store?.getRecords !== 'function' || typeof store.describeStream !== 'function')
    throw new GraphError(
      'open.store',
      'follow(): the store has no streams; use memory(), disk(), or dynamodb() from edgewise/aws.',
    )
  const embedded = embeddedServicesOf(store) !== undefined
  const settings = resolveFollowSettings(options, embedded, inProcess)
  const table = options.table ?? consumer.layout.design.name
  const consumers = options.consumers ?? consumersName(table)
  const retryingStore = retrying(store, { clock: { now: settings.clock, sleep: toClockSleep(settings.sleep) } })
  const { signal } = options
  signal?.throwIfAborted()
  const stream = await findStreamArn(retryingStore, table)
  await assertStreamsPackage(store, stream)
  await ensureConsumersTable(retryingStore, consumers, options.create ?? embedded, settings.sleep)
  const { group } = settings
  const ledger = new Ledger(retryingStore, consumers, group)
  await assertGroupTable(ledger, tableNameOfStream(stream) ?? table)
  const deadLetters = { store: retryingStore, table: consumers, group }
  const coordinator = new ShardCoordinator({
    consumer,
    table,
    store: retryingStore,
    streams: store,
    ledger,
    dead: deadLetters,
    settings,
  })
  // The signal may have been aborted during setup, when no abort listener was registered.
  signal?.throwIfAborted()
  const stop = () => void coordinator.stop()
  signal?.addEventListener('abort', stop, { once: true })
  // Remove the listener, because a signal may live as long as the process and would keep the follower in memory.
  void coordinator.start().finally(() => signal?.removeEventListener('abort', stop))
  return coordinator
}

const NEVER_ABORTED = new AbortController().signal

function toClockSleep(sleep: (delayMs: number, signal: AbortSignalLike) => Promise<void>) {
  return (delayMs: number, signal: AbortSignalLike = NEVER_ABORTED) => sleep(delayMs, signal)
}

/** Returns the stream of a table. Both images are needed to find out which values changed. */
async function findStreamArn(store: Store, table: string): Promise<string> {
  const { Table } = await store.describeTable({ TableName: table })
  const view = Table?.StreamSpecification?.StreamEnabled ? Table.StreamSpecification.StreamViewType : undefined
  if (view === 'NEW_AND_OLD_IMAGES') return Table!.LatestStreamArn!
  throw new GraphError(
    'follow.stream',
    `table '${table}': it has ${view === undefined ? 'no stream' : `a stream of ${view}`}; enable a stream of NEW_AND_OLD_IMAGES.`,
  )
}

/**
 * Throws if the AWS streams package is not installed. Other errors are transient, and the follower reports them
 * itself.
 */
async function assertStreamsPackage(streams: Streams, StreamArn: string): Promise<void> {
  try {
    await streams.describeStream({ StreamArn, Limit: 1 })
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ERR_MODULE_NOT_FOUND') throw Object.assign(new GraphError('open.store', message), { cause: error })
  }
}

/** Throws if the group follows another table. Other errors are transient, and the follower reports them itself. */
async function assertGroupTable(ledger: Ledger, table: string): Promise<void> {
  try {
    await ledger.readForTable(table)
  } catch (error) {
    if (error instanceof GraphError) throw error
  }
}

async function ensureConsumersTable(
  store: Store,
  name: string,
  create: boolean,
  sleep: (delayMs: number, signal: AbortSignalLike) => Promise<void>,
): Promise<void> {
  let status = await tableStatusOf(store, name)
  if (status === undefined) {
    if (!create)
      throw new GraphError(
        'table.absent',
        `table '${name}': the table of checkpoints does not exist; create it, or call follow() with { create: true }.`,
      )
    await createConsumersTable(store, name)
    status = await tableStatusOf(store, name)
  }
  for (; status !== 'ACTIVE' && status !== 'UPDATING'; status = await tableStatusOf(store, name))
    await sleep(POLL_MS, NEVER_ABORTED)
}

async function tableStatusOf(store: Store, name: string): Promise<string | undefined> {
  try {
    return (await store.describeTable({ TableName: name })).Table?.TableStatus
  } catch (error) {
    if (hasErrorName(error, 'ResourceNotFoundException')) return undefined
    throw error
  }
}

async function createConsumersTable(store: Store, name: string): Promise<void> {
  try {
    await store.createTable(toCreateTableInput(consumersDesign(name)))
  } catch (error) {
    if (!hasErrorName(error, 'ResourceInUseException')) throw error
  }
}
