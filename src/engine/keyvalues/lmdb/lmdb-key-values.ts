import type { KeyRange, KeyValueStore, Space } from '../port.js'
import { CommitQueue } from './commit-queue.js'
import { LmdbBytes } from './lmdb-bytes.js'
import { openFolder } from './open-folder.js'
import { PLAIN_KEY_BYTES } from './region.js'
import { RegionRegistry } from './region-registry.js'

export interface LmdbOptions<Value> {
  /** The bytes are valid until the next call. */
  readonly encode: (value: Value) => Buffer
  /** The bytes are valid for as long as the call. */
  readonly decode: (bytes: Buffer) => Value
  readonly isRefusal: (error: unknown) => boolean
  /** Whether a write is flushed to the disk itself before it is acknowledged. */
  readonly flush: boolean
  /** Whether every page of the file is checked before it is opened. */
  readonly check?: boolean
  /** The longest key that lies under itself, for tests. */
  readonly plainKeyBytes?: number
}

export interface LmdbKeyValueStore<Value> extends KeyValueStore<Value> {
  /** Called with every write, for what else is to be kept, and after one that failed, for what is to be forgotten. */
  setCommitListener(follower: CommitListener): void
  /** Whether what was dropped is still being cleared away. */
  readonly isClearing: boolean
  close(): Promise<void>
}

export interface CommitListener {
  /** Answers whether readers have to wait until it is committed. */
  beforeCommit(): boolean
  afterFailure(): void
}

/** Spaces in a folder on disk. */
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
  const closedMessage = `the store at ${path} is closed`
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
      // A drop that fails, or comes too late, is made up for when the folder is opened: whoever dropped it finds it there.
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

/** Has a region from its first write on. */
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
