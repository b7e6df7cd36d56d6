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

export * from './engine/index.js'

/** What a store tells of the derived data that it keeps in this process. */
export interface DerivedDataStats {
  /** How far what keeps the copies and counters of a table has come; undefined while no graph is open that has any. */
  followStats(tableName: string): Promise<FollowStats | undefined>
}

/** A store that lives in this process and is gone with it. */
export function memory(options: MemoryOptions = {}): EmbeddedStore & DerivedDataStats {
  return withDerivedData(plainMemory(options))
}

/** A store in a folder on disk, made where there is none, by the package `lmdb`. One process at a time has it open. */
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

const EMBEDDED = Symbol.for('edgewise.embedded')
const storesWithFollower = new WeakSet<object>()
const loadFollower = () => import('./derive/follow/in-process-follower.js')

/** A graph that is opened on it has its derived data kept in this process. */
function withDerivedData<Store extends EmbeddedStore>(store: Store): Store & DerivedDataStats {
  useCompiledReaders(createCompiledReader)
  const follow = async (opened: object) => {
    storesWithFollower.add(store)
    const heal = async (opened: object) => void (await (await import('./jobs/verify/verify.js')).repair(opened))
    return (await loadFollower()).followInProcess(opened, store, { ...engineHooksOf(store)!, heal })
  }
  const followStats = async (tableName: string) =>
    storesWithFollower.has(store) ? (await loadFollower()).readInProcessStats(store, tableName) : undefined
  return Object.assign(Object.defineProperty(store, EMBEDDED, { value: follow }), { followStats })
}
