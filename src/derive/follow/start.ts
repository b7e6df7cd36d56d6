import { GraphError } from '../../schema/error.js'
import type { AbortSignalLike } from '../../store/abort-signal.js'
import type { Store, Streams } from '../../store/port.js'
import { retrying } from '../../store/retrying.js'
import { consumersDesign, consumersName } from '../../table/consumers.js'
import { createTableRequest } from '../../table/definition.js'
import type { Consumer } from '../port.js'
import { Follower, type FollowStats } from './follower.js'
import { tableOf } from './lease.js'
import { Ledger } from './ledger.js'
import { isNamed } from './passing.js'
import { type FollowOptions, followSettings, type InProcess } from './settings.js'

/** A follower of a table's stream, at work until it is stopped. */
export interface Follow {
  /** Finishes the batch under way, and gives back its shards. */
  stop(): Promise<void>
  /** Waits until everything that was written before is handled, and gaps are healed where that was asked for. */
  settled(): Promise<void>
  /** Looks for something to read at once. */
  wake(): void
  stats(): FollowStats
}

const EMBEDDED = Symbol.for('edgewise.embedded')
const POLL_MS = 500

/** Follows the stream of the consumer's table. */
export async function startFollowing(
  consumer: Consumer,
  store: Store & Streams,
  options: FollowOptions = {},
  inProcess?: InProcess,
): Promise<Follow> {
  if (typeof store?.getRecords !== 'function' || typeof store.describeStream !== 'function')
    throw new GraphError('open.store', 'follow() reads streams: give memory(), disk(), or dynamodb() of edgewise/aws')
  const embedded = EMBEDDED in store
  const settings = followSettings(options, embedded, inProcess)
  const table = options.table ?? consumer.layout.design.name
  const consumers = options.consumers ?? consumersName(table)
  const own = retrying(store, { clock: { now: settings.clock, sleep: sleepOf(settings.sleep) } })
  const { signal } = options
  signal?.throwIfAborted()
  const stream = await streamOf(own, table)
  await checkPackage(store, stream)
  await findConsumers(own, consumers, options.create ?? embedded, settings.sleep)
  const { group } = settings
  const ledger = new Ledger(own, consumers, group)
  await checkGroup(ledger, tableOf(stream) ?? table)
  const dead = { store: own, table: consumers, group }
  const follower = new Follower({ consumer, table, store: own, streams: store, ledger, dead, settings })
  // It may have been aborted meanwhile, and tells that once.
  signal?.throwIfAborted()
  const stop = () => void follower.stop()
  signal?.addEventListener('abort', stop, { once: true })
  // A signal may live as long as the process, and is not to keep what was stopped.
  void follower.start().finally(() => signal?.removeEventListener('abort', stop))
  return follower
}

const never = new AbortController().signal

function sleepOf(sleep: (delayMs: number, signal: AbortSignalLike) => Promise<void>) {
  return (delayMs: number, signal: AbortSignalLike = never) => sleep(delayMs, signal)
}

/** The stream of a table. Without both images nobody can tell what has changed. */
async function streamOf(store: Store, table: string): Promise<string> {
  const { Table } = await store.describeTable({ TableName: table })
  const view = Table?.StreamSpecification?.StreamEnabled ? Table.StreamSpecification.StreamViewType : undefined
  if (view === 'NEW_AND_OLD_IMAGES') return Table!.LatestStreamArn!
  throw new GraphError(
    'follow.stream',
    `the table '${table}' has ${view === undefined ? 'no stream' : `a stream of ${view}`}: enable one of NEW_AND_OLD_IMAGES`,
  )
}

/** A package that is missing stays missing. Whatever else fails here the follower meets again, and tells. */
async function checkPackage(streams: Streams, StreamArn: string): Promise<void> {
  try {
    await streams.describeStream({ StreamArn, Limit: 1 })
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ERR_MODULE_NOT_FOUND') throw Object.assign(new GraphError('open.store', message), { cause: error })
  }
}

/** What another table has is told at once. Whatever else fails here the follower meets again, and tells. */
async function checkGroup(ledger: Ledger, table: string): Promise<void> {
  try {
    await ledger.readFor(table)
  } catch (error) {
    if (error instanceof GraphError) throw error
  }
}

async function findConsumers(
  store: Store,
  name: string,
  create: boolean,
  sleep: (delayMs: number, signal: AbortSignalLike) => Promise<void>,
): Promise<void> {
  let status = await statusOf(store, name)
  if (status === undefined) {
    if (!create)
      throw new GraphError(
        'table.absent',
        `there is no table '${name}' for checkpoints: create it, or follow with { create: true }`,
      )
    await makeConsumers(store, name)
    status = await statusOf(store, name)
  }
  for (; status !== 'ACTIVE' && status !== 'UPDATING'; status = await statusOf(store, name)) await sleep(POLL_MS, never)
}

async function statusOf(store: Store, name: string): Promise<string | undefined> {
  try {
    return (await store.describeTable({ TableName: name })).Table?.TableStatus
  } catch (error) {
    if (isNamed(error, 'ResourceNotFoundException')) return undefined
    throw error
  }
}

async function makeConsumers(store: Store, name: string): Promise<void> {
  try {
    await store.createTable(createTableRequest(consumersDesign(name)))
  } catch (error) {
    if (!isNamed(error, 'ResourceInUseException')) throw error
  }
}
