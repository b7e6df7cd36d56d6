import sortedBTree from 'sorted-btree'
import type { KeyRange, KeyValues, Space } from './port.js'

// A CommonJS module: its default export is a member of what Node imports.
const BTree = sortedBTree.default
const NODE_ENTRIES_MAX = 64
const STOP = { break: true }

/** Spaces as sorted trees on the heap. */
export function memoryKeyValues<Value>(): KeyValues<Value> {
  const spaces = new Map<string, MemorySpace<Value>>()
  return {
    space(name) {
      const existing = spaces.get(name)
      if (existing) return existing
      const made = new MemorySpace<Value>()
      spaces.set(name, made)
      return made
    },
    drop: name => void spaces.delete(name),
    write: work => work(),
  }
}

interface Box<Value> {
  value: Value
}

class MemorySpace<Value> implements Space<Value> {
  private readonly boxes = new Map<string, Box<Value>>()
  private readonly tree = new BTree<string, Box<Value>>(undefined, byteOrder, NODE_ENTRIES_MAX)

  get(key: string): Value | undefined {
    return this.boxes.get(key)?.value
  }

  put(key: string, value: Value): void {
    const box = this.boxes.get(key)
    if (box) {
      box.value = value
      return
    }
    const made = { value }
    this.boxes.set(key, made)
    this.tree.set(key, made)
  }

  remove(key: string): void {
    if (this.boxes.delete(key)) this.tree.delete(key)
  }

  range({ from, to, reverse }: KeyRange, visit: (value: Value, key: string) => boolean): void {
    if (reverse) this.backwards(from, to, visit)
    else this.forwards(from, to, visit)
  }

  /** The end is looked for once, since to compare each key with it would fetch every one of them from memory. */
  private forwards(from: string, to: string | undefined, visit: (value: Value, key: string) => boolean): void {
    const end = to ?? this.tree.maxKey()
    if (end === undefined) return
    this.tree.forRange(from, end, to === undefined, (key, box) => (visit(box.value, key) ? undefined : STOP))
  }

  private backwards(from: string, to: string | undefined, visit: (value: Value, key: string) => boolean): void {
    const pairs = this.tree.entriesReversed(to, [], true)
    for (let next = pairs.next(); !next.done; next = pairs.next()) {
      const [key, box] = next.value
      if (key < from) return
      if (!visit(box.value, key)) return
    }
  }
}

function byteOrder(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
