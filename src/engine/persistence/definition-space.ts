import type { Space } from '../keyvalues/port.js'
import type { StoredItem } from '../values/stored-item.js'
import { parseDefinition, toDefinitionRecord } from './definition-record.js'

/**
 * Shows the parts of a thing until `see` says false, and tells whether it was let to the end. One of them is another
 * whenever the definition is; every write looks at them, so that they should cost next to nothing.
 */
export type VisitParts<Thing> = (thing: Thing, see: (part: unknown) => boolean) => boolean

/** Definitions by name in a space, each written again only where it is not as it was written last. */
export class DefinitionSpace<Thing> {
  private readonly savedParts = new Map<string, readonly unknown[]>()

  constructor(
    private readonly space: Space<StoredItem>,
    private readonly visitParts: VisitParts<Thing>,
    private readonly toDefinition: (thing: Thing) => unknown,
  ) {}

  /** Within a write. Looks at those that may be others, and for what is gone. Answers whether anything was not as it was. */
  save(things: ReadonlyMap<string, Thing>, changed: Iterable<readonly [name: string, thing: Thing]>): boolean {
    let isChanged = false
    for (const [name, thing] of changed) {
      if (this.isUnchanged(name, thing)) continue
      this.space.put(name, toDefinitionRecord(this.toDefinition(thing)))
      this.savedParts.set(name, this.collectParts(thing))
      isChanged = true
    }
    if (this.savedParts.size === things.size) return isChanged
    for (const name of this.savedParts.keys()) {
      if (things.has(name)) continue
      this.space.remove(name)
      this.savedParts.delete(name)
    }
    return true
  }

  load(take: (definition: unknown) => void): void {
    this.space.range(FULL_RANGE, record => {
      take(parseDefinition(record))
      return true
    })
  }

  /** These are what was loaded. */
  markAllSaved(things: ReadonlyMap<string, Thing>): void {
    this.savedParts.clear()
    for (const [name, thing] of things) this.savedParts.set(name, this.collectParts(thing))
  }

  private collectParts(thing: Thing): readonly unknown[] {
    const parts: unknown[] = []
    this.visitParts(thing, part => parts.push(part) > 0)
    return parts
  }

  private isUnchanged(name: string, thing: Thing): boolean {
    const mark = this.savedParts.get(name)
    if (!mark) return false
    let at = 0
    return this.visitParts(thing, part => part === mark[at++]) && at === mark.length
  }
}

const FULL_RANGE = { from: '', to: undefined, reverse: false }
