import type { FollowStats } from './derive/follow/follower.js'
import { hooksOf } from './engine/hooks.js'
import {
  type Disk,
  type DiskOptions,
  type Embedded,
  type MemoryOptions,
  disk as plainDisk,
  memory as plainMemory,
} from './engine/index.js'
import { compileReaders } from './plan/row.js'
import { compiledReader } from './plan/row-compiled.js'

export * from './engine/index.js'

/** What a store tells of the derived data that it keeps in this process. */
export interface KeepsDerived {
  /** How far what keeps the copies and counters of a table has come; undefined while no graph is open that has any. */
  followStats(tableName: string): Promise<FollowStats | undefined>
}

/** A store that lives in this process and is gone with it. */
export function memory(options: MemoryOptions = {}): Embedded & KeepsDerived {
  return keeping(plainMemory(options))
}

/** A store in a folder on disk, made where there is none, by the package `lmdb`. One process at a time has it open. */
export function disk(path: string, options: DiskOptions = {}): Disk & KeepsDerived {
  const store = plainDisk(path, options)
  const { close } = store
  let closing: Promise<void> | undefined
  const end = async () => {
    try {
      if (isKept.has(store)) await (await following()).stopInProcess(store)
    } finally {
      await close()
    }
  }
  return Object.assign(keeping(store), {
    close() {
      closing ??= end()
      return closing
    },
  })
}

const EMBEDDED = Symbol.for('edgewise.embedded')
const isKept = new WeakSet<object>()
const following = () => import('./derive/follow/in-process.js')

/** A graph that is opened on it has its derived data kept in this process. */
function keeping<Store extends Embedded>(store: Store): Store & KeepsDerived {
  compileReaders(compiledReader)
  const keep = async (opened: object) => {
    isKept.add(store)
    const heal = async (kept: object) => void (await (await import('./jobs/verify.js')).repair(kept))
    return (await following()).followInProcess(opened, store, { ...hooksOf(store)!, heal })
  }
  const followStats = async (tableName: string) =>
    isKept.has(store) ? (await following()).statsInProcess(store, tableName) : undefined
  return Object.assign(Object.defineProperty(store, EMBEDDED, { value: keep }), { followStats })
}
