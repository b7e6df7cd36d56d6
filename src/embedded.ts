import { hooksOf } from './engine/hooks.js'
import {
  type Disk,
  type DiskOptions,
  type Embedded,
  type MemoryOptions,
  disk as plainDisk,
  memory as plainMemory,
} from './engine/index.js'

export * from './engine/index.js'

/** A store that lives in this process and is gone with it. */
export function memory(options: MemoryOptions = {}): Embedded {
  return keeping(plainMemory(options))
}

/** A store in a folder on disk, made where there is none, by the package `lmdb`. One process at a time has it open. */
export function disk(path: string, options: DiskOptions = {}): Disk {
  const store = plainDisk(path, options)
  const { close } = store
  return Object.assign(keeping(store), {
    async close() {
      if (isKept.has(store)) await (await following()).stopInProcess(store)
      await close()
    },
  })
}

const EMBEDDED = Symbol.for('edgewise.embedded')
const isKept = new WeakSet<object>()
const following = () => import('./derive/follow/in-process.js')

/** A graph that is opened on it has its derived data kept in this process. */
function keeping<Store extends Embedded>(store: Store): Store {
  const keep = async (opened: object) => {
    isKept.add(store)
    const heal = async (kept: object) => void (await (await import('./jobs/verify.js')).repair(kept))
    return (await following()).followInProcess(opened, store, { ...hooksOf(store)!, heal })
  }
  return Object.defineProperty(store, EMBEDDED, { value: keep })
}
