import type { Space } from '../keyvalues/port.js'
import type { StoredItem } from '../values/stored-item.js'
import { parseDefinition, toDefinitionRecord } from './definition-record.js'

/**
 * Visits the parts of a definition until `see` returns false, and returns whether all were visited. Every change of the
 * definition must replace a part. Every write visits the parts, so a visit must be cheap.
 */
export type VisitParts<Entity> = (entity: Entity, see: (part: unknown) => boolean) => boolean

/** Saves definitions by name in a space. Unchanged definitions are not written again. */
export class DefinitionSpace<Entity> {
  private readonly savedParts = new Map<string, readonly unknown[]>()

  constructor(
    private readonly space: Space<StoredItem>,
    private readonly visitParts: VisitParts<Entity>,
    private readonly toDefinition: (entity: Entity) => unknown,
  ) {}

  /** Saves changed and removes missing definitions. Must run within a write. Returns whether anything changed. */
  save(entities: ReadonlyMap<string, Entity>, changed: Iterable<readonly [name: string, entity: Entity]>): boolean {
    let isChanged = false
    for (const [name, entity] of changed) {
      if (this.isUnchanged(name, entity)) continue
      this.space.put(name, toDefinitionRecord(this.toDefinition(entity)))
      this.savedParts.set(name, this.collectParts(entity))
      isChanged = true
    }
    if (this.savedParts.size === entities.size) return isChanged
    for (const name of this.savedParts.keys()) {
      if (entities.has(name)) continue
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
  markAllSaved(entities: ReadonlyMap<string, Entity>): void {
    this.savedParts.clear()
    for (const [name, entity] of entities) this.savedParts.set(name, this.collectParts(entity))
  }

  private collectParts(entity: Entity): readonly unknown[] {
    const parts: unknown[] = []
    this.visitParts(entity, part => parts.push(part) > 0)
    return parts
  }

  private isUnchanged(name: string, entity: Entity): boolean {
    const mark = this.savedParts.get(name)
    if (!mark) return false
    let at = 0
    return this.visitParts(entity, part => part === mark[at++]) && at === mark.length
  }
}

const FULL_RANGE = { from: '', to: undefined, reverse: false }
