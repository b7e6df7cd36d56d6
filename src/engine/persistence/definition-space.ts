import type { Space } from '../keyvalues/port.js'
import type { StoredItem } from '../values/stored-item.js'
import { parseDefinition, toDefinitionRecord } from './definition-record.js'

/**
 * Visits the parts of a definition until `see` returns false, and returns whether all were visited. Every change of the
 * definition must replace a part. Every write visits the parts, so a visit must be cheap.
 */
export type VisitParts<Thing> = (thing: Thing, see: (part: unknown) => boolean) => boolean

/** Saves definitions by name in a space. Unchanged definitions are not written again. */
export class DefinitionSpace<Thing> {
  private readonly savedParts = new Map<string, readonly unknown[]>()

  constructor(
    private readonly space: Space<StoredItem>,
    private readonly visitParts: VisitParts<Thing>,
    private readonly toDefinition: (thing: Thing) => unknown,
  ) {}

  /** Saves changed and removes missing definitions. Must run within a write. Returns whether anything changed. */
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

  /** Marks the loaded definitions as saved. */
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
