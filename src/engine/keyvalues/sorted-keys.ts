import type { KeyRange } from './port.js'

const ENTRIES_MAX = 64

type Visit<Value> = (value: Value, key: string) => boolean

/**
 * Keys in order, as a B+ tree. Beside each stands a number, which is its first four bytes: a search compares numbers that
 * lie side by side, and fetches a key from memory only where they are the same. The keys of items begin with four bytes
 * of a hash, so that this is seldom.
 */
export class SortedKeys<Value> {
  constructor(private root: Part<Value> = new Leaf<Value>([], [], [])) {}

  /** The same keys, each with what is made of its value. */
  map<Other>(of: (value: Value) => Other): SortedKeys<Other> {
    return new SortedKeys(this.root.map(of))
  }

  /** A key that is not there yet. */
  add(key: string, value: Value): void {
    const { root } = this
    const second = root.add(headOf(key), key, value)
    if (!second) return
    const keys = [root.least, second.least]
    this.root = new Branch(keys.map(headOf), keys, [root, second])
  }

  remove(key: string): void {
    this.root.remove(headOf(key), key)
    if (this.root.isEmpty()) this.root = new Leaf<Value>([], [], [])
  }

  /** Visits the keys in order until `visit` says false; nothing is added or removed meanwhile. */
  range({ from, to, reverse }: KeyRange, visit: Visit<Value>): void {
    if (reverse) this.root.backwards(from, to, visit)
    else this.root.forwards(from, to, visit)
  }
}

/** A leaf, which holds values, or a branch, which holds other parts. */
interface Part<Value> {
  readonly least: string
  isEmpty(): boolean
  map<Other>(of: (value: Value) => Other): Part<Other>
  /** Where it has become too large: what is to stand after it as a part of its own. */
  add(head: number, key: string, value: Value): Part<Value> | undefined
  remove(head: number, key: string): void
  /** Says whether to go on. Undefined is the beginning, or the end. */
  forwards(from: string | undefined, to: string | undefined, visit: Visit<Value>): boolean
  backwards(from: string | undefined, to: string | undefined, visit: Visit<Value>): boolean
}

type Columns<Entry> = [heads: number[], keys: string[], entries: Entry[]]

abstract class Row<Entry> {
  constructor(
    protected readonly heads: number[],
    protected readonly keys: string[],
    protected readonly entries: Entry[],
  ) {}

  get least(): string {
    return this.keys[0]!
  }

  isEmpty(): boolean {
    return this.keys.length === 0
  }

  /** How many keys are less than this one. */
  protected before(head: number, key: string): number {
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

  /** Where the row has become too long, its second half is taken off. */
  protected insert(at: number, head: number, key: string, entry: Entry): Columns<Entry> | undefined {
    this.heads.splice(at, 0, head)
    this.keys.splice(at, 0, key)
    this.entries.splice(at, 0, entry)
    if (this.keys.length <= ENTRIES_MAX) return undefined
    const half = ENTRIES_MAX / 2
    return [this.heads.splice(half), this.keys.splice(half), this.entries.splice(half)]
  }

  protected takeOut(at: number): void {
    this.heads.splice(at, 1)
    this.keys.splice(at, 1)
    this.entries.splice(at, 1)
  }
}

class Leaf<Value> extends Row<Value> implements Part<Value> {
  map<Other>(of: (value: Value) => Other): Part<Other> {
    return new Leaf(this.heads.slice(), this.keys.slice(), this.entries.map(of))
  }

  add(head: number, key: string, value: Value): Part<Value> | undefined {
    const second = this.insert(this.before(head, key), head, key, value)
    return second && new Leaf(...second)
  }

  remove(head: number, key: string): void {
    const at = this.before(head, key)
    if (this.keys[at] === key) this.takeOut(at)
  }

  forwards(from: string | undefined, to: string | undefined, visit: Visit<Value>): boolean {
    const { keys, entries } = this
    const end = this.endAt(to)
    for (let at = this.startAt(from); at < end; at++) if (!visit(entries[at]!, keys[at]!)) return false
    return true
  }

  backwards(from: string | undefined, to: string | undefined, visit: Visit<Value>): boolean {
    const { keys, entries } = this
    const start = this.startAt(from)
    for (let at = this.endAt(to) - 1; at >= start; at--) if (!visit(entries[at]!, keys[at]!)) return false
    return true
  }

  private startAt(from: string | undefined): number {
    return from === undefined ? 0 : this.before(headOf(from), from)
  }

  private endAt(to: string | undefined): number {
    return to === undefined ? this.keys.length : this.before(headOf(to), to)
  }
}

/** Each part is named by a key that nothing in it is less than. */
class Branch<Value> extends Row<Part<Value>> implements Part<Value> {
  map<Other>(of: (value: Value) => Other): Part<Other> {
    const parts = this.entries.map(part => part.map(of))
    return new Branch(this.heads.slice(), this.keys.slice(), parts)
  }

  add(head: number, key: string, value: Value): Part<Value> | undefined {
    const at = this.partOf(head, key)
    if (at === 0 && key < this.least) this.nameFirst(head, key)
    const part = this.entries[at]!.add(head, key, value)
    const second = part && this.insert(at + 1, headOf(part.least), part.least, part)
    return second && new Branch(...second)
  }

  remove(head: number, key: string): void {
    const at = this.partOf(head, key)
    const part = this.entries[at]!
    part.remove(head, key)
    if (part.isEmpty()) this.takeOut(at)
  }

  forwards(from: string | undefined, to: string | undefined, visit: Visit<Value>): boolean {
    const first = this.firstWith(from)
    const last = this.lastBefore(to)
    for (let at = first; at <= last; at++)
      if (!this.entries[at]!.forwards(at === first ? from : undefined, at === last ? to : undefined, visit))
        return false
    return true
  }

  backwards(from: string | undefined, to: string | undefined, visit: Visit<Value>): boolean {
    const first = this.firstWith(from)
    const last = this.lastBefore(to)
    for (let at = last; at >= first; at--)
      if (!this.entries[at]!.backwards(at === first ? from : undefined, at === last ? to : undefined, visit))
        return false
    return true
  }

  /** Under its old name it would stand after what is split off from it. */
  private nameFirst(head: number, key: string): void {
    this.heads[0] = head
    this.keys[0] = key
  }

  private partOf(head: number, key: string): number {
    const at = this.before(head, key)
    return at === 0 || this.keys[at] === key ? at : at - 1
  }

  private firstWith(from: string | undefined): number {
    return from === undefined ? 0 : this.partOf(headOf(from), from)
  }

  private lastBefore(to: string | undefined): number {
    return to === undefined ? this.keys.length - 1 : Math.max(0, this.before(headOf(to), to) - 1)
  }
}

/**
 * Four bytes in their order, with a zero for what a short key lacks. As a number with a sign, of which an array keeps
 * 32 bits as they are.
 */
function headOf(key: string): number {
  const bytes = (key.charCodeAt(0) << 24) | (key.charCodeAt(1) << 16) | (key.charCodeAt(2) << 8) | key.charCodeAt(3)
  return bytes ^ (1 << 31)
}
