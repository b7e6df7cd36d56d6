import type { Space } from '../keyvalues/port.js'
import type { Stored } from '../values/stored.js'
import { definitionIn, recordOf } from './record.js'

/** Definitions by name in a space, each written again only where it is not as it was written last. */
export class Kept<Thing> {
  private readonly marks = new Map<string, readonly unknown[]>()

  constructor(
    private readonly space: Space<Stored>,
    /** What differs whenever the definition does, and costs less to look at. */
    private readonly markOf: (thing: Thing) => readonly unknown[],
    private readonly definitionOf: (thing: Thing) => unknown,
  ) {}

  /** Within a write. */
  save(things: ReadonlyMap<string, Thing>): void {
    for (const [name, thing] of things) {
      const mark = this.markOf(thing)
      if (isSame(this.marks.get(name), mark)) continue
      this.space.put(name, recordOf(this.definitionOf(thing)))
      this.marks.set(name, mark)
    }
    if (this.marks.size === things.size) return
    for (const name of this.marks.keys()) {
      if (things.has(name)) continue
      this.space.remove(name)
      this.marks.delete(name)
    }
  }

  load(take: (definition: unknown) => void): void {
    this.space.range(ALL, record => {
      take(definitionIn(record))
      return true
    })
  }

  /** These are what was loaded. */
  mark(things: ReadonlyMap<string, Thing>): void {
    this.marks.clear()
    for (const [name, thing] of things) this.marks.set(name, this.markOf(thing))
  }
}

const ALL = { from: '', to: undefined, reverse: false }

function isSame(a: readonly unknown[] | undefined, b: readonly unknown[]): boolean {
  return a !== undefined && a.length === b.length && a.every((value, i) => value === b[i])
}
