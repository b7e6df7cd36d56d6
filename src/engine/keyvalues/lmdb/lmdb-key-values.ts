import type { KeyRange, KeyValueStore, Space } from '../port.js'
import { CommitQueue } from './commit-queue.js'
import { LmdbBytes } from './lmdb-bytes.js'
import { openFolder } from './open-folder.js'
import { PLAIN_KEY_BYTES } from './region.js'
import { RegionRegistry } from './region-registry.js'

export interface LmdbOptions<Value> {
  /** The bytes are valid until the next call. */
  readonly encode: (value: Value) => Buffer
  /** The bytes are valid only during the call. */
  readonly decode: (bytes: Buffer) => Value
  readonly isRefusal: (error: unknown) => boolean
  /** Whether a write is flushed to the disk before it is acknowledged. */
  readonly flush: boolean
  /** Whether every page of the file is checked before it is opened. */
  readonly check?: boolean
  /** The length of the longest key that is stored without a bucket. Tests set it. */
  readonly plainKeyBytes?: number
}

export interface LmdbKeyValueStore<Value> extends KeyValueStore<Value> {
  /** Sets the listener that runs with every write, to store more, and after a failed write, to restore its state. */
  setCommitListener(follower: CommitListener): void
  /** Whether the content of dropped spaces is still being removed. */
  readonly isClearing: boolean
  close(): Promise<void>
}

export interface CommitListener {
  /** Returns whether readers must wait for the commit. */
  beforeCommit(): boolean
  afterFailure(): void
}

/** Opens the spaces of a folder on disk. */
export function openLmdbKeyValues<Value>(path: string, options: LmdbOptions<Value>): LmdbKeyValueStore<Value> {
  const { database, release } = openFolder(path, options.flush, options.check)
  const bytes = new LmdbBytes(database)
  const registry = new RegionRegistry(bytes, options.plainKeyBytes ?? PLAIN_KEY_BYTES)
  let commitListener: CommitListener | undefined
  const commits = new CommitQueue(database, bytes, path, () => ({
    isRefusal: options.isRefusal,
    beforeCommit() {
      registry.clearSome()
      return commitListener?.beforeCommit() ?? false
    },
    afterFailure() {
      registry.reload()
      commitListener?.afterFailure()
    },
  }))
  const closedMessage = `${path}: the store is closed; open it again with disk().`
  let closing: Promise<void> | undefined
  const write = <T>(work: () => T): T | Promise<T> => {
    if (bytes.isWriting) return work()
    bytes.checkOpen()
    if (closing) throw new Error(closedMessage)
    return commits.write(work)
  }
  const close = async () => {
    await commits.drain()
    const isAlive = bytes.isAlive()
    bytes.unusableReason = closedMessage
    if (isAlive) await database.close()
    await release()
  }
  return {
    space: name => new LmdbSpace(name, registry, options),
    drop(name) {
      if (bytes.isWriting) registry.drop(name)
      // A failed or late drop is repeated when the folder is opened: the caller finds the space still there.
      else if (!closing) commits.write(() => registry.drop(name)).catch(() => {})
    },
    copy: (from, to) => registry.copy(from, to),
    write,
    pendingCommit: () => commits.pendingCommit(),
    setCommitListener(listener) {
      commitListener = listener
    },
    get isClearing() {
      return registry.hasDropped
    },
    close() {
      closing ??= close()
      return closing
    },
  }
}

/** A space gets its region with the first write. */
class LmdbSpace<Value> implements Space<Value> {
  constructor(
    private readonly name: string,
    private readonly registry: RegionRegistry,
    private readonly options: LmdbOptions<Value>,
  ) {}

  get(key: string): Value | undefined {
    const bytes = this.registry.find(this.name)?.get(key)
    return bytes && this.options.decode(bytes)
  }

  put(key: string, value: Value): void {
    const region = this.registry.find(this.name) ?? this.registry.create(this.name)
    region.put(key, this.options.encode(value))
  }

  remove(key: string): void {
    this.registry.find(this.name)?.remove(key)
  }

  range(range: KeyRange, visit: (value: Value, key: string) => boolean): void {
    this.registry.find(this.name)?.range(range, (bytes, key) => visit(this.options.decode(bytes), key))
  }
}
