import { contextOf } from '../../graph/open.js'
import type { AbortSignalLike } from '../../store/abort-signal.js'
import { nextTurn } from '../../store/next-turn.js'
import type { Store, Streams } from '../../store/port.js'
import { consumer } from '../consumer.js'
import type { Consumer } from '../port.js'
import type { FollowStats } from './follower.js'
import type { InProcess } from './settings.js'
import { type Follow, startFollowing } from './start.js'

/** What an embedded store can tell of itself. */
export interface Embedding extends InProcess {
  readonly now: () => number
  readonly streamLagMs: number
  onWrite(listener: () => void): () => void
  /** Mends what may have become stale of a graph that is open. */
  heal(opened: object): Promise<void>
}

/** What an opened graph keeps of whoever keeps its derived data. */
export interface Kept {
  stop(): Promise<void>
  settled(): Promise<void>
}

interface Shared {
  readonly follow: Promise<Follow>
  /** What would keep the data of each graph that is open on the table; the one that was opened last does. */
  readonly users: Map<object, Consumer>
}

/** The same after a crash, so that nobody waits until the lease of the one before is over. */
const NAME = 'embedded'
/** Writes wake it; now and then it looks by itself, so that its checkpoint is never a day old while it runs. */
const POLL_MS = 15 * 60_000
const LAGGING_POLL_MS = 50

/** The followers of each store, one for each table, however many opened it. */
const following = new WeakMap<object, Map<string, Shared>>()
/** Those of each store that are not for anyone any more, and have not stopped yet. */
const stopping = new WeakMap<object, Set<Promise<void>>>()

/** Keeps the derived data of a graph that was opened on a store in this process, for as long as it is open. */
export async function followInProcess(opened: object, store: Store & Streams, embedding: Embedding): Promise<Kept> {
  const { layout } = contextOf(opened)
  const { now: clock, streamLagMs: visibleMs } = embedding
  const table = layout.design.name
  const tables = following.get(store) ?? new Map<string, Shared>()
  following.set(store, tables)
  const users = tables.get(table)?.users ?? new Map<object, Consumer>()
  const shared = tables.get(table) ?? { follow: start(), users }
  tables.set(table, shared)
  users.set(opened, consumer(layout, store, { table, clock }))

  async function start(): Promise<Follow> {
    const options = { table, name: NAME, clock, visibleMs, sleep: unheldSleep, leaseMs: 3 * POLL_MS, create: true }
    const latest = () => [...users].at(-1)!
    const heal = () => embedding.heal(latest()[0])
    const pollMs = visibleMs > 0 ? LAGGING_POLL_MS : POLL_MS
    // A table that was brought up to another layout may still be open under the one before.
    const kept: Consumer = { layout, handle: records => latest()[1].handle(records) }
    const follow = await startFollowing(kept, store, { ...options, pollMs, heal }, embedding)
    const forget = embedding.onWrite(together(() => follow.wake()))
    const stop = async () => {
      forget()
      await follow.stop()
    }
    return { stop, settled: () => follow.settled(), wake: () => follow.wake(), stats: () => follow.stats() }
  }

  const stop = async () => {
    // The last one stays, for what is under way.
    if (users.size > 1 || !users.has(opened)) return void users.delete(opened)
    if (tables.get(table) === shared) tables.delete(table)
    const all = stopping.get(store) ?? new Set()
    const stopped = shared.follow.then(follow => follow.stop()).finally(() => all.delete(stopped))
    stopping.set(store, all.add(stopped))
    await stopped
  }
  try {
    const follow = await shared.follow
    return { stop, settled: () => held(follow.settled()) }
  } catch (error) {
    tables.delete(table)
    throw error
  }
}

/** What the follower of a table tells of itself, while there is one. */
export async function statsInProcess(store: object, table: string): Promise<FollowStats | undefined> {
  return (await following.get(store)?.get(table)?.follow)?.stats()
}

/** Before a store is closed. */
export async function stopInProcess(store: object): Promise<void> {
  const shared = [...(following.get(store)?.values() ?? [])]
  following.delete(store)
  const stopped = shared.map(async ({ follow }) => (await follow).stop())
  await Promise.all([...stopped, ...(stopping.get(store) ?? [])])
}

/** Once for all that is written in one turn of the loop: they are handled together. */
function together(work: () => void): () => void {
  let isDue = false
  return () => {
    if (isDue) return
    isDue = true
    void nextTurn().then(() => {
      isDue = false
      work()
    })
  }
}

/** Waits without keeping the process from ending. */
function unheldSleep(delayMs: number, signal: AbortSignalLike): Promise<void> {
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

const HELD_MS = 60_000

/** Keeps the process from ending while someone waits. */
async function held<T>(waiting: Promise<T>): Promise<T> {
  const timer = setInterval(() => undefined, HELD_MS)
  try {
    return await waiting
  } finally {
    clearInterval(timer)
  }
}
