import type { Space } from '../keyvalues/port.js'
import type { Stored } from '../values/stored.js'
import { definitionIn, recordOf } from './record.js'

/**
 * Shows the parts of a thing until `see` says false, and tells whether it was let to the end. One of them is another
 * whenever the definition is; every write looks at them, so that they should cost next to nothing.
 */
export type PartsOf<Thing> = (thing: Thing, see: (part: unknown) => boolean) => boolean

/** Definitions by name in a space, each written again only where it is not as it was written last. */
export class Kept<Thing> {
  private readonly marks = new Map<string, readonly unknown[]>()

  constructor(
    private readonly space: Space<Stored>,
    private readonly partsOf: PartsOf<Thing>,
    private readonly definitionOf: (thing: Thing) => unknown,
  ) {}

  /** Within a write. Looks at those that may be others, and for what is gone. Answers whether anything was not as it was. */
  save(things: ReadonlyMap<string, Thing>, changed: Iterable<readonly [name: string, thing: Thing]>): boolean {
    let isChanged = false
    for (const [name, thing] of changed) {
      if (this.isAsMarked(name, thing)) continue
      this.space.put(name, recordOf(this.definitionOf(thing)))
      this.marks.set(name, this.markOf(thing))
      isChanged = true
    }
    if (this.marks.size === things.size) return isChanged
    for (const name of this.marks.keys()) {
      if (things.has(name)) continue
      this.space.remove(name)
      this.marks.delete(name)
    }
    return true
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

  private markOf(thing: Thing): readonly unknown[] {
    const parts: unknown[] = []
    this.partsOf(thing, part => parts.push(part) > 0)
    return parts
  }

  private isAsMarked(name: string, thing: Thing): boolean {
    const mark = this.marks.get(name)
    if (!mark) return false
    let at = 0
    return this.partsOf(thing, part => part === mark[at++]) && at === mark.length
  }
}

const ALL = { from: '', to: undefined, reverse: false }
