import type { KeyRange } from './port.js'

const ENTRIES_MAX = 64

type Visit<Value> = (value: Value, key: string) => boolean

/**
 * Sorted keys as a B+ tree. An array of numbers holds the first four bytes of each key: a search compares these
 * adjacent numbers and loads a key from memory only when they are equal. The keys of items begin with four bytes of a
 * hash, so this is rare.
 */
export class SortedKeys<Value> {
  constructor(private root: BTreeNode<Value> = new BTreeLeaf<Value>([], [], [])) {}

  /** Returns the same keys with converted values. */
  map<Other>(convert: (value: Value) => Other): SortedKeys<Other> {
    return new SortedKeys(this.root.map(convert))
  }

  /** Adds a key that does not exist yet. */
  add(key: string, value: Value): void {
    const { root } = this
    const second = root.add(keyHeadOf(key), key, value)
    if (!second) return
    const keys = [root.firstKey, second.firstKey]
    this.root = new BTreeBranch(keys.map(keyHeadOf), keys, [root, second])
  }

  remove(key: string): void {
    this.root.remove(keyHeadOf(key), key)
    if (this.root.isEmpty()) this.root = new BTreeLeaf<Value>([], [], [])
  }

  /** Visits the keys in order until `visit` returns false. `visit` must not add or remove keys. */
  range({ from, to, reverse }: KeyRange, visit: Visit<Value>): void {
    if (reverse) this.root.visitBackwards(from, to, visit)
    else this.root.visitForwards(from, to, visit)
  }
}

/** A leaf with values or a branch with child nodes. */
interface BTreeNode<Value> {
  readonly firstKey: string
  isEmpty(): boolean
  map<Other>(convert: (value: Value) => Other): BTreeNode<Other>
  /** Adds a key. If the node is then too large, it is split, and the second half is returned as a new node. */
  add(head: number, key: string, value: Value): BTreeNode<Value> | undefined
  remove(head: number, key: string): void
  /** Visits the keys of a range; undefined bounds are unlimited. Returns false if `visit` did. */
  visitForwards(from: string | undefined, to: string | undefined, visit: Visit<Value>): boolean
  visitBackwards(from: string | undefined, to: string | undefined, visit: Visit<Value>): boolean
}

type Columns<Entry> = [heads: number[], keys: string[], entries: Entry[]]

abstract class BTreeEntries<Entry> {
  constructor(
    protected readonly heads: number[],
    protected readonly keys: string[],
    protected readonly entries: Entry[],
  ) {}

  get firstKey(): string {
    return this.keys[0]!
  }

  isEmpty(): boolean {
    return this.keys.length === 0
  }

  /** Returns the number of keys that are less than this key. */
  protected countBefore(head: number, key: string): number {
    const { heads, keys } = this
    let low = 0
    let high = heads.length
    while (low < high) {
      const middle = (low + high) >> 1
      const other = heads[middle]!
      if (other < head || (other === head && keys[middle]! < key)) low = middle + 1
      else high = middle
    }
    return low
  }

  /** Inserts an entry. If the node is then too large, removes and returns its second half. */
  protected insert(at: number, head: number, key: string, entry: Entry): Columns<Entry> | undefined {
    this.heads.splice(at, 0, head)
    this.keys.splice(at, 0, key)
    this.entries.splice(at, 0, entry)
    if (this.keys.length <= ENTRIES_MAX) return undefined
    const half = ENTRIES_MAX / 2
    return [this.heads.splice(half), this.keys.splice(half), this.entries.splice(half)]
  }

  protected removeAt(at: number): void {
    this.heads.splice(at, 1)
    this.keys.splice(at, 1)
    this.entries.splice(at, 1)
  }
}

class BTreeLeaf<Value> extends BTreeEntries<Value> implements BTreeNode<Value> {
  map<Other>(convert: (value: Value) => Other): BTreeNode<Other> {
    return new BTreeLeaf(this.heads.slice(), this.keys.slice(), this.entries.map(convert))
  }

  add(head: number, key: string, value: Value): BTreeNode<Value> | undefined {
    const second = this.insert(this.countBefore(head, key), head, key, value)
    return second && new BTreeLeaf(...second)
  }

  remove(head: number, key: string): void {
    const at = this.countBefore(head, key)
    if (this.keys[at] === key) this.removeAt(at)
  }

  visitForwards(from: string | undefined, to: string | undefined, visit: Visit<Value>): boolean {
    const { keys, entries } = this
    const end = this.endIndex(to)
    for (let at = this.startIndex(from); at < end; at++) if (!visit(entries[at]!, keys[at]!)) return false
    return true
  }

  visitBackwards(from: string | undefined, to: string | undefined, visit: Visit<Value>): boolean {
    const { keys, entries } = this
    const start = this.startIndex(from)
    for (let at = this.endIndex(to) - 1; at >= start; at--) if (!visit(entries[at]!, keys[at]!)) return false
    return true
  }

  private startIndex(from: string | undefined): number {
    return from === undefined ? 0 : this.countBefore(keyHeadOf(from), from)
  }

  private endIndex(to: string | undefined): number {
    return to === undefined ? this.keys.length : this.countBefore(keyHeadOf(to), to)
  }
}

/** A branch. The key of a child is less than or equal to all keys in it. */
class BTreeBranch<Value> extends BTreeEntries<BTreeNode<Value>> implements BTreeNode<Value> {
  map<Other>(convert: (value: Value) => Other): BTreeNode<Other> {
    const parts = this.entries.map(part => part.map(convert))
    return new BTreeBranch(this.heads.slice(), this.keys.slice(), parts)
  }

  add(head: number, key: string, value: Value): BTreeNode<Value> | undefined {
    const at = this.childIndexOf(head, key)
    if (at === 0 && key < this.firstKey) this.lowerFirstKey(head, key)
    const part = this.entries[at]!.add(head, key, value)
    const second = part && this.insert(at + 1, keyHeadOf(part.firstKey), part.firstKey, part)
    return second && new BTreeBranch(...second)
  }

  remove(head: number, key: string): void {
    const at = this.childIndexOf(head, key)
    const part = this.entries[at]!
    part.remove(head, key)
    if (part.isEmpty()) this.removeAt(at)
  }

  visitForwards(from: string | undefined, to: string | undefined, visit: Visit<Value>): boolean {
    const first = this.firstChildIndex(from)
    const last = this.lastChildIndex(to)
    for (let at = first; at <= last; at++)
      if (!this.entries[at]!.visitForwards(at === first ? from : undefined, at === last ? to : undefined, visit))
        return false
    return true
  }

  visitBackwards(from: string | undefined, to: string | undefined, visit: Visit<Value>): boolean {
    const first = this.firstChildIndex(from)
    const last = this.lastChildIndex(to)
    for (let at = last; at >= first; at--)
      if (!this.entries[at]!.visitBackwards(at === first ? from : undefined, at === last ? to : undefined, visit))
        return false
    return true
  }

  /** Without this, the child would sort after the node that is split off from it. */
  private lowerFirstKey(head: number, key: string): void {
    this.heads[0] = head
    this.keys[0] = key
  }

  private childIndexOf(head: number, key: string): number {
    const at = this.countBefore(head, key)
    return at === 0 || this.keys[at] === key ? at : at - 1
  }

  private firstChildIndex(from: string | undefined): number {
    return from === undefined ? 0 : this.childIndexOf(keyHeadOf(from), from)
  }

  private lastChildIndex(to: string | undefined): number {
    return to === undefined ? this.keys.length - 1 : Math.max(0, this.countBefore(keyHeadOf(to), to) - 1)
  }
}

/**
 * Returns the first four bytes in byte order, with zeros for missing ones. The number is signed, because arrays store
 * small signed integers without boxing.
 */
function keyHeadOf(key: string): number {
  const bytes = (key.charCodeAt(0) << 24) | (key.charCodeAt(1) << 16) | (key.charCodeAt(2) << 8) | key.charCodeAt(3)
  return bytes ^ (1 << 31)
}
