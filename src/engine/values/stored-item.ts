import type { AttributeValue, Item } from '../../dynamodb/attribute-value.js'
import { countItemBytes } from '../../dynamodb/size.js'
import { copyBinaries } from './binaries.js'

/**
 * An item in the form in which the engine stores it: validated, canonical and deeply frozen, so that it can be returned
 * by reference. Byte arrays cannot be frozen, so items with byte arrays are copied for callers.
 */
export class StoredItem {
  constructor(
    readonly item: Item,
    readonly sizeBytes: number,
    readonly hasBinary: boolean,
  ) {}

  /** Returns the item for a caller. */
  toOutput(): Item {
    return toCallerItem(this.item, this.hasBinary)
  }
}

/** Freezes an item whose parts are canonical and frozen. */
export function toStoredItem(item: Item): StoredItem {
  return new StoredItem(Object.freeze(item), countItemBytes(item), hasBinaryValue(item))
}

/** Returns a part of a stored item for a caller. */
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
