import type { AttributeValue, Item } from '../../dynamodb/attribute-value.js'
import { countItemBytes } from '../../dynamodb/size.js'
import { copyBinaries } from './binaries.js'

/**
 * The one form in which the engine keeps an item: checked, canonical and deeply frozen, so that it can be handed out
 * by reference. Byte arrays cannot be frozen, so an item that holds any is copied on its way out.
 */
export class StoredItem {
  constructor(
    readonly item: Item,
    readonly sizeBytes: number,
    readonly hasBinary: boolean,
  ) {}

  /** The item for a caller. */
  toOutput(): Item {
    return toCallerItem(this.item, this.hasBinary)
  }
}

/** Takes over an item made of parts that are canonical and frozen already. */
export function toStoredItem(item: Item): StoredItem {
  return new StoredItem(Object.freeze(item), countItemBytes(item), hasBinaryValue(item))
}

/** A part of a stored item, for a caller. */
export function toCallerItem(item: Item, hasBinary: boolean): Item {
  return hasBinary ? copyBinaries(item) : item
}

function hasBinaryValue(item: Item): boolean {
  for (const name in item) if (isBinaryValue(item[name]!)) return true
  return false
}

function isBinaryValue(value: AttributeValue): boolean {
  if (value.B !== undefined || value.BS !== undefined) return true
  if (value.M !== undefined) return hasBinaryValue(value.M)
  return value.L?.some(isBinaryValue) ?? false
}
