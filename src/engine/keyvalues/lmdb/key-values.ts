import type { KeyRange, KeyValues, Space } from '../port.js'
import { LmdbBytes } from './bytes.js'
import { Commits } from './commits.js'
import { openFolder } from './open.js'
import { PLAIN_KEY_BYTES } from './region.js'
import { Registry } from './registry.js'

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

export interface LmdbKeyValues<Value> extends KeyValues<Value> {
  /** Called with every write, for what else is to be kept, and after one that failed, for what is to be forgotten. */
  follow(follower: Follower): void
  /** Whether what was dropped is still being cleared away. */
  readonly isClearing: boolean
  close(): Promise<void>
}

export interface Follower {
  /** Answers whether readers have to wait until it is committed. */
  beforeCommit(): boolean
  afterFailure(): void
}

/** Spaces in a folder on disk. */
export function lmdbKeyValues<Value>(path: string, options: LmdbOptions<Value>): LmdbKeyValues<Value> {
  const { database, release } = openFolder(path, options.flush, options.check)
  const bytes = new LmdbBytes(database)
  const registry = new Registry(bytes, options.plainKeyBytes ?? PLAIN_KEY_BYTES)
  let follower: Follower | undefined
  const commits = new Commits(database, bytes, path, () => ({
    isRefusal: options.isRefusal,
    beforeCommit() {
      registry.clearSome()
      return follower?.beforeCommit() ?? false
    },
    afterFailure() {
      registry.read()
      follower?.afterFailure()
    },
  }))
  const closed = `the store at ${path} is closed`
  let closing: Promise<void> | undefined
  const write = <T>(work: () => T): T | Promise<T> => {
    if (bytes.writing) return work()
    bytes.checkOpen()
    if (closing) throw new Error(closed)
    return commits.write(work)
  }
  const close = async () => {
    await commits.drained()
    const isAlive = bytes.isAlive()
    bytes.ended = closed
    if (isAlive) await database.close()
    await release()
  }
  return {
    space: name => new LmdbSpace(name, registry, options),
    drop(name) {
      if (bytes.writing) registry.drop(name)
      // A drop that fails, or comes too late, is made up for when the folder is opened: whoever dropped it finds it there.
      else if (!closing) commits.write(() => registry.drop(name)).catch(() => {})
    },
    copy: (from, to) => registry.copy(from, to),
    write,
    settling: () => commits.settling(),
    follow(given) {
      follower = given
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
    private readonly registry: Registry,
    private readonly form: LmdbOptions<Value>,
  ) {}

  get(key: string): Value | undefined {
    const bytes = this.registry.find(this.name)?.get(key)
    return bytes && this.form.decode(bytes)
  }

  put(key: string, value: Value): void {
    const region = this.registry.find(this.name) ?? this.registry.make(this.name)
    region.put(key, this.form.encode(value))
  }

  remove(key: string): void {
    this.registry.find(this.name)?.remove(key)
  }

  range(range: KeyRange, visit: (value: Value, key: string) => boolean): void {
    this.registry.find(this.name)?.range(range, (bytes, key) => visit(this.form.decode(bytes), key))
  }
}
