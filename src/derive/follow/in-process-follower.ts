import { contextOf } from '../../graph/open.js'
import type { AbortSignalLike } from '../../store/abort-signal.js'
import { nextEventLoopTurn } from '../../store/event-loop-turn.js'
import type { Store, Streams } from '../../store/port.js'
import type { Consumer } from '../port.js'
import { consumer } from '../settle/consumer.js'
import type { EmbeddedStreamInfo } from './settings.js'
import type { FollowStats } from './shard-coordinator.js'
import { type StreamFollower, startFollower } from './start-follower.js'

/** What an embedded store can tell of itself. */
export interface EmbeddedStoreHooks extends EmbeddedStreamInfo {
  readonly now: () => number
  readonly streamLagMs: number
  onWrite(listener: () => void): () => void
  /** Mends what may have become stale of a graph that is open. */
  heal(opened: object): Promise<void>
}

/** What an opened graph keeps of whoever keeps its derived data. */
export interface InProcessFollower {
  stop(): Promise<void>
  settled(): Promise<void>
}

interface SharedFollower {
  readonly follower: Promise<StreamFollower>
  /** What would keep the data of each graph that is open on the table; the one that was opened last does. */
  readonly consumersByGraph: Map<object, Consumer>
}

/** The same after a crash, so that nobody waits until the lease of the one before is over. */
const FOLLOWER_NAME = 'embedded'
/** Writes wake it; now and then it looks by itself, so that its checkpoint is never a day old while it runs. */
const POLL_MS = 15 * 60_000
const LAGGING_POLL_MS = 50

/** The followers of each store, one for each table, however many opened it. */
const followersByStore = new WeakMap<object, Map<string, SharedFollower>>()
/** Those of each store that are not for anyone any more, and have not stopped yet. */
const stoppingByStore = new WeakMap<object, Set<Promise<void>>>()

/** Keeps the derived data of a graph that was opened on a store in this process, for as long as it is open. */
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
    // A table that was brought up to another layout may still be open under the one before.
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
    // The last one stays, for what is under way.
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

/** What the follower of a table tells of itself, while there is one. */
export async function readInProcessStats(store: object, table: string): Promise<FollowStats | undefined> {
  return (await followersByStore.get(store)?.get(table)?.follower)?.stats()
}

/** Before a store is closed. */
export async function stopInProcessFollowers(store: object): Promise<void> {
  const shared = [...(followersByStore.get(store)?.values() ?? [])]
  followersByStore.delete(store)
  const stoppingFollowers = shared.map(async ({ follower }) => (await follower).stop())
  await Promise.all([...stoppingFollowers, ...(stoppingByStore.get(store) ?? [])])
}

/** Once for all that is written in one turn of the loop: they are handled together. */
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

/** Waits without keeping the process from ending. */
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
    // A number in the window that a test makes.
    timer.unref?.()
    signal.addEventListener('abort', abort, { once: true })
  })
}

const KEEP_ALIVE_MS = 60_000

/** Keeps the process from ending while someone waits. */
async function keepProcessAlive<T>(promise: Promise<T>): Promise<T> {
  const timer = setInterval(() => undefined, KEEP_ALIVE_MS)
  try {
    return await promise
  } finally {
    clearInterval(timer)
  }
}
