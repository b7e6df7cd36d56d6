import { isDate } from 'node:util/types'
import { toWireValue } from './wire-json.js'

/** The characters of text that each of the two generations holds. */
const GENERATION_CHARACTERS = 16 * 1024 * 1024

/**
 * Caches the JSON texts of immutable items, such as the engine's, so that repeated reads do not serialize an item
 * again. The least recently read generation is dropped as a whole, which bounds the memory.
 */
export class ItemJsonCache {
  // Weak, because a store may create new items for every response, and those never repeat.
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

/** Requires deeply frozen values without bytes: typed arrays cannot be frozen. */
function isDeeplyFrozen(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true
  if (!Object.isFrozen(value) || ArrayBuffer.isView(value) || isDate(value)) return false
  for (const name in value) if (!isDeeplyFrozen((value as Record<string, unknown>)[name])) return false
  return true
}
