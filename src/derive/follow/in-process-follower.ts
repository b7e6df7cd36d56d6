import { contextOf } from '../../graph/open.js'
import type { AbortSignalLike } from '../../store/abort-signal.js'
import { nextEventLoopTurn } from '../../store/event-loop-turn.js'
import type { Store, Streams } from '../../store/port.js'
import type { Consumer } from '../port.js'
import { consumer } from '../settle/consumer.js'
import type { EmbeddedStreamInfo } from './settings.js'
import type { FollowStats } from './shard-coordinator.js'
import { type StreamFollower, startFollower } from './start-follower.js'

/** The hooks that an embedded store offers its followers. */
export interface EmbeddedStoreHooks extends EmbeddedStreamInfo {
  readonly now: () => number
  readonly streamLagMs: number
  onWrite(listener: () => void): () => void
  /** Repairs derived data of an open graph that may be stale. */
  heal(opened: object): Promise<void>
}

/** The handle of an opened graph on the follower that maintains its derived data. */
export interface InProcessFollower {
  stop(): Promise<void>
  settled(): Promise<void>
}

interface SharedFollower {
  readonly follower: Promise<StreamFollower>
  /** Consumers of all open graphs on the table. The graph that was opened last handles the records. */
  readonly consumersByGraph: Map<object, Consumer>
}

/** A fixed name: after a crash, the follower takes over its own leases without waiting for them to expire. */
const FOLLOWER_NAME = 'embedded'
/**
 * Writes wake the follower. It also polls every 15 minutes, so that its checkpoint is never a day old while it runs.
 */
const POLL_MS = 15 * 60_000
const LAGGING_POLL_MS = 50

/** The followers of each store, one per table, shared by all graphs that are open on it. */
const followersByStore = new WeakMap<object, Map<string, SharedFollower>>()
/** Followers of each store that are stopping. */
const stoppingByStore = new WeakMap<object, Set<Promise<void>>>()

/** Maintains the derived data of a graph that is open on an embedded store, until the graph is closed. */
export async function followInProcess(
  openedGraph: object,
  store: Store & Streams,
  hooks: EmbeddedStoreHooks,
): Promise<InProcessFollower> {
  const { layout } = contextOf(openedGraph)
  const { now: clock, streamLagMs: visibleMs } = hooks
  const table = layout.design.name
  const followersByTable = followersByStore.get(store) ?? new Map<string, SharedFollower>()
  followersByStore.set(store, followersByTable)
  const consumersByGraph = followersByTable.get(table)?.consumersByGraph ?? new Map<object, Consumer>()
  const shared = followersByTable.get(table) ?? { follower: start(), consumersByGraph }
  followersByTable.set(table, shared)
  consumersByGraph.set(openedGraph, consumer(layout, store, { table, clock }))

  async function start(): Promise<StreamFollower> {
    const options = {
      table,
      name: FOLLOWER_NAME,
      clock,
      visibleMs,
      sleep: sleepUnreferenced,
      leaseMs: 3 * POLL_MS,
      create: true,
    }
    const latestUser = () => [...consumersByGraph].at(-1)!
    const heal = () => hooks.heal(latestUser()[0])
    const pollMs = visibleMs > 0 ? LAGGING_POLL_MS : POLL_MS
    // A graph with an older layout may still be open on a table that was migrated.
    const latestConsumer: Consumer = { layout, handle: records => latestUser()[1].handle(records) }
    const follower = await startFollower(latestConsumer, store, { ...options, pollMs, heal }, hooks)
    const unsubscribe = hooks.onWrite(runOncePerTurn(() => follower.wake()))
    const stop = async () => {
      unsubscribe()
      await follower.stop()
    }
    return { stop, settled: () => follower.settled(), wake: () => follower.wake(), stats: () => follower.stats() }
  }

  const stop = async () => {
    // Keep the last consumer, because records may still be in progress.
    if (consumersByGraph.size > 1 || !consumersByGraph.has(openedGraph))
      return void consumersByGraph.delete(openedGraph)
    if (followersByTable.get(table) === shared) followersByTable.delete(table)
    const stoppingFollowers = stoppingByStore.get(store) ?? new Set()
    const stoppingFollower = shared.follower
      .then(follower => follower.stop())
      .finally(() => stoppingFollowers.delete(stoppingFollower))
    stoppingByStore.set(store, stoppingFollowers.add(stoppingFollower))
    await stoppingFollower
  }
  try {
    const follower = await shared.follower
    return { stop, settled: () => keepProcessAlive(follower.settled()) }
  } catch (error) {
    followersByTable.delete(table)
    throw error
  }
}

/** Returns the statistics of a table's follower, or undefined if it has none. */
export async function readInProcessStats(store: object, table: string): Promise<FollowStats | undefined> {
  return (await followersByStore.get(store)?.get(table)?.follower)?.stats()
}

/** Stops all followers of a store before it is closed. */
export async function stopInProcessFollowers(store: object): Promise<void> {
  const shared = [...(followersByStore.get(store)?.values() ?? [])]
  followersByStore.delete(store)
  const stoppingFollowers = shared.map(async ({ follower }) => (await follower).stop())
  await Promise.all([...stoppingFollowers, ...(stoppingByStore.get(store) ?? [])])
}

/** Runs the work once per turn of the event loop, so that the writes of one turn are handled together. */
function runOncePerTurn(work: () => void): () => void {
  let isScheduled = false
  return () => {
    if (isScheduled) return
    isScheduled = true
    void nextEventLoopTurn().then(() => {
      isScheduled = false
      work()
    })
  }
}

/** Waits without keeping the process alive. */
function sleepUnreferenced(delayMs: number, signal: AbortSignalLike): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason)
    const abort = () => {
      clearTimeout(timer)
      reject(signal.reason)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', abort)
      resolve()
    }, delayMs)
    // In a jsdom test environment, `setTimeout` returns a number.
    timer.unref?.()
    signal.addEventListener('abort', abort, { once: true })
  })
}

const KEEP_ALIVE_MS = 60_000

/** Keeps the process alive while a caller waits. */
async function keepProcessAlive<T>(promise: Promise<T>): Promise<T> {
  const timer = setInterval(() => undefined, KEEP_ALIVE_MS)
  try {
    return await promise
  } finally {
    clearInterval(timer)
  }
}
