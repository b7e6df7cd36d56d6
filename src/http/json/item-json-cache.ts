import { isDate } from 'node:util/types'
import { toWireValue } from './wire-json.js'

/** How much text each of the two generations holds. */
const GENERATION_CHARACTERS = 16 * 1024 * 1024

/**
 * The texts of items that cannot change, which the engine's cannot: an item that is read again is not written out
 * again. Those read longest ago are forgotten a generation at a time, so that this stays small however much is read.
 */
export class ItemJsonCache {
  // Weak, since a store may make its items anew for every answer, and then none is seen again.
  private newGeneration = new WeakMap<object, string>()
  private oldGeneration = new WeakMap<object, string>()
  private newGenerationCharacters = 0

  stringify(item: unknown): string {
    if (typeof item !== 'object' || item === null || !Object.isFrozen(item)) return JSON.stringify(toWireValue(item))
    return this.newGeneration.get(item) ?? this.stringifyOlder(item)
  }

  private stringifyOlder(item: object): string {
    const cached = this.oldGeneration.get(item)
    if (cached === undefined && !isDeeplyFrozen(item)) return JSON.stringify(toWireValue(item))
    const text = cached ?? JSON.stringify(item)
    this.newGenerationCharacters += text.length
    if (this.newGenerationCharacters > GENERATION_CHARACTERS) {
      this.oldGeneration = this.newGeneration
      this.newGeneration = new WeakMap()
      this.newGenerationCharacters = text.length
    }
    this.newGeneration.set(item, text)
    return text
  }
}

/** Frozen to the ground, and nothing in it that JSON writes otherwise: bytes cannot be frozen. */
function isDeeplyFrozen(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true
  if (!Object.isFrozen(value) || ArrayBuffer.isView(value) || isDate(value)) return false
  for (const name in value) if (!isDeeplyFrozen((value as Record<string, unknown>)[name])) return false
  return true
}
