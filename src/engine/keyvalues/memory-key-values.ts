import type { KeyRange, KeyValueStore, Space } from './port.js'
import { SortedKeys } from './sorted-keys.js'

export function newMemoryKeyValues<Value>(): KeyValueStore<Value> {
  const spaces = new Map<string, MemorySpace<Value>>()
  /** Copies that were not opened since, such as backups. They need no lookup by key. */
  const copies = new Map<string, SortedKeys<Value>>()
  const sortedOf = (name: string) => copies.get(name) ?? spaces.get(name)?.toSortedValues()
  return {
    space(name) {
      const existing = spaces.get(name)
      if (existing) return existing
      const space = new MemorySpace<Value>()
      const copied = copies.get(name)
      if (copied) space.replaceAll(copied)
      copies.delete(name)
      spaces.set(name, space)
      return space
    },
    drop(name) {
      spaces.delete(name)
      copies.delete(name)
    },
    copy(from, to) {
      const sorted = sortedOf(from)
      if (!sorted) return
      const target = spaces.get(to)
      if (target) target.replaceAll(sorted)
      else copies.set(to, sorted)
    },
    write: work => work(),
    pendingCommit: () => undefined,
  }
}

interface Box<Value> {
  value: Value
}

/**
 * A space on the heap. A value stays in the box of its first put, so that a hash map of boxes serves `get` and `put`,
 * and the sorted keys change only when a key is added or removed.
 */
class MemorySpace<Value> implements Space<Value> {
  private readonly boxes = new Map<string, Box<Value>>()
  private sorted = new SortedKeys<Box<Value>>()

  get(key: string): Value | undefined {
    return this.boxes.get(key)?.value
  }

  put(key: string, value: Value): void {
    const box = this.boxes.get(key)
    if (box) {
      box.value = value
      return
    }
    const newBox = { value }
    this.boxes.set(key, newBox)
    this.sorted.add(key, newBox)
  }

  remove(key: string): void {
    if (this.boxes.delete(key)) this.sorted.remove(key)
  }

  range(range: KeyRange, visit: (value: Value, key: string) => boolean): void {
    this.sorted.range(range, (box, key) => visit(box.value, key))
  }

  toSortedValues(): SortedKeys<Value> {
    return this.sorted.map(({ value }) => value)
  }

  /** Replaces the content of the space. */
  replaceAll(values: SortedKeys<Value>): void {
    this.boxes.clear()
    this.sorted = values.map(value => ({ value }))
    this.sorted.range({ from: '', to: undefined, reverse: false }, (box, key) => {
      this.boxes.set(key, box)
      return true
    })
  }
}
