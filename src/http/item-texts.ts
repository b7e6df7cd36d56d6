import { isDate } from 'node:util/types'
import { toWire } from './encode.js'

/** How much text each of the two generations holds. */
const GENERATION_CHARACTERS = 16 * 1024 * 1024

/**
 * The texts of items that cannot change, which the engine's cannot: an item that is read again is not written out
 * again. Those read longest ago are forgotten a generation at a time, so that this stays small however much is read.
 */
export class ItemTexts {
  // Weak, since a store may make its items anew for every answer, and then none is seen again.
  private young = new WeakMap<object, string>()
  private old = new WeakMap<object, string>()
  private youngCharacters = 0

  of(item: unknown): string {
    if (typeof item !== 'object' || item === null || !Object.isFrozen(item)) return JSON.stringify(toWire(item))
    return this.young.get(item) ?? this.aged(item)
  }

  private aged(item: object): string {
    const kept = this.old.get(item)
    if (kept === undefined && !isUnchangeable(item)) return JSON.stringify(toWire(item))
    const text = kept ?? JSON.stringify(item)
    this.youngCharacters += text.length
    if (this.youngCharacters > GENERATION_CHARACTERS) {
      this.old = this.young
      this.young = new WeakMap()
      this.youngCharacters = text.length
    }
    this.young.set(item, text)
    return text
  }
}

/** Frozen to the ground, and nothing in it that JSON writes otherwise: bytes cannot be frozen. */
function isUnchangeable(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true
  if (!Object.isFrozen(value) || ArrayBuffer.isView(value) || isDate(value)) return false
  for (const name in value) if (!isUnchangeable((value as Record<string, unknown>)[name])) return false
  return true
}
