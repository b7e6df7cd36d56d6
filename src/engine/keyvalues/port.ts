/**
 * What the engine keeps its state in: spaces of keys in byte order, of any length.
 *
 * A key is a text of one character a byte (0 to 255), so that JavaScript's own comparison is byte order and an ASCII
 * key costs no conversion.
 */
export interface KeyValueStore<Value> {
  /** The space of this name, made where there is none. */
  space(name: string): Space<Value>
  drop(name: string): void
  /** Puts all that one space holds into another, which holds nothing yet. Within a write. */
  copy(from: string, to: string): void
  /**
   * Runs `work` as one step: nothing else reads or writes meanwhile, and what it wrote is there wholly or not at all.
   * Work checks everything before its first write, so that a throw leaves nothing behind.
   */
  write<T>(work: () => T): T | Promise<T>
  /**
   * Where the work of a write is done and cannot be read yet, and has changed more than values, such as which spaces
   * there are to read: resolves when that is over. Whoever reads meanwhile would see only a part of it.
   */
  pendingCommit(): Promise<void> | undefined
}

export interface Space<Value> {
  get(key: string): Value | undefined
  put(key: string, value: Value): void
  remove(key: string): void
  /** Visits the keys in order until `visit` says false. */
  range(range: KeyRange, visit: (value: Value, key: string) => boolean): void
}

export interface KeyRange {
  /** Inclusive. */
  readonly from: string
  /** Exclusive; undefined is the end. */
  readonly to: string | undefined
  readonly reverse: boolean
}
