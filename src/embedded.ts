import type { FollowStats } from './derive/follow/shard-coordinator.js'
import { engineHooksOf } from './engine/hooks.js'
import {
  type Disk,
  type DiskOptions,
  type EmbeddedStore,
  type MemoryOptions,
  disk as plainDisk,
  memory as plainMemory,
} from './engine/index.js'
import { createCompiledReader } from './plan/compiled-row-reader.js'
import { useCompiledReaders } from './plan/row.js'
import { declareEmbedded } from './store/embedded.js'

export * from './engine/index.js'

/** Statistics about the derived data that a store maintains in this process. */
export interface DerivedDataStats {
  /**
   * The progress of the follower that maintains copies and counters of a table. Undefined while no open graph has
   * any.
   */
  followStats(tableName: string): Promise<FollowStats | undefined>
}

/**
 * Creates a store in the memory of this process. Its data is lost when the process ends.
 * @param options the seed, clock and limits of the store
 * @example
 * ```ts
 * import { graph, node, open, string } from 'edgewise'
 * import { memory } from 'edgewise/engine'
 *
 * const user = node('user', { email: string() }, { id: 'email' })
 * const g = await open(graph('app', [user]), memory())
 * ```
 */
export function memory(options: MemoryOptions = {}): EmbeddedStore & DerivedDataStats {
  return withDerivedData(plainMemory(options))
}

/**
 * Opens a store in a folder on disk, and creates the folder if it is missing. It needs the package `lmdb`. Only one
 * process at a time can open a folder.
 * @param path the folder of the store
 * @example
 * ```ts
 * import { graph, node, open, string } from 'edgewise'
 * import { disk } from 'edgewise/engine'
 *
 * const user = node('user', { email: string() }, { id: 'email' })
 * const store = disk('./data')
 * const g = await open(graph('app', [user]), store)
 * await store.close()
 * ```
 */
export function disk(path: string, options: DiskOptions = {}): Disk & DerivedDataStats {
  const store = plainDisk(path, options)
  const { close } = store
  let closing: Promise<void> | undefined
  const shutDown = async () => {
    try {
      if (storesWithFollower.has(store)) await (await loadFollower()).stopInProcessFollowers(store)
    } finally {
      await close()
    }
  }
  return Object.assign(withDerivedData(store), {
    close() {
      closing ??= shutDown()
      return closing
    },
  })
}

const storesWithFollower = new WeakSet<object>()
const loadFollower = () => import('./derive/follow/in-process-follower.js')

/** Adds fast readers of rows and a follower of derived data for every graph that is opened on the store. */
function withDerivedData<Store extends EmbeddedStore>(store: Store): Store & DerivedDataStats {
  const prepareLayout = (layout: object) => useCompiledReaders(layout, createCompiledReader)
  const startFollower = async (opened: object) => {
    storesWithFollower.add(store)
    const heal = async (opened: object) => void (await (await import('./jobs/verify/verify.js')).repair(opened))
    return (await loadFollower()).followInProcess(opened, store, { ...engineHooksOf(store)!, heal })
  }
  const followStats = async (tableName: string) =>
    storesWithFollower.has(store) ? (await loadFollower()).readInProcessStats(store, tableName) : undefined
  return Object.assign(declareEmbedded(store, { prepareLayout, startFollower }), { followStats })
}
