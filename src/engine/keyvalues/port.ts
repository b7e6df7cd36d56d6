/**
 * The storage of the engine: named spaces with keys of any length in byte order. A key is a text with one character per
 * byte (0 to 255), so that JavaScript's comparison is byte order and an ASCII key needs no conversion.
 */
export interface KeyValueStore<Value> {
  /** Returns the space with this name, which is created if it does not exist. */
  space(name: string): Space<Value>
  drop(name: string): void
  /** Copies the content of one space into another, which must be empty. Must run within a write. */
  copy(from: string, to: string): void
  /**
   * Runs `work` atomically and isolated: no other read or write runs at the same time. `work` does all checks before
   * its first write, so that a throw leaves no changes.
   */
  write<T>(work: () => T): T | Promise<T>
  /**
   * Returns a promise if a finished write is not visible yet and changed more than values, such as the set of spaces.
   * The promise resolves after the commit. A read before that would see a part of the write.
   */
  pendingCommit(): Promise<void> | undefined
}

export interface Space<Value> {
  get(key: string): Value | undefined
  put(key: string, value: Value): void
  remove(key: string): void
  /** Visits the keys in order until `visit` returns false. */
  range(range: KeyRange, visit: (value: Value, key: string) => boolean): void
}

export interface KeyRange {
  /** The first key, inclusive. */
  readonly from: string
  /** The last key, exclusive; undefined for no limit. */
  readonly to: string | undefined
  readonly reverse: boolean
}
