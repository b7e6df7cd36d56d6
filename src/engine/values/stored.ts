import type { AttributeValue, Item } from '../../dynamodb/attribute-value.js'
import { itemBytes } from '../../dynamodb/size.js'
import { copyBinaries } from './binary.js'

/**
 * The one form in which the engine keeps an item: checked, canonical and deeply frozen, so that it can be handed out
 * by reference. Byte arrays cannot be frozen, so an item that holds any is copied on its way out.
 */
export class Stored {
  constructor(
    readonly item: Item,
    readonly sizeBytes: number,
    readonly hasBinary: boolean,
  ) {}

  /** The item for a caller. */
  answer(): Item {
    return forCaller(this.item, this.hasBinary)
  }
}

/** Takes over an item made of parts that are canonical and frozen already. */
export function storedFrom(item: Item): Stored {
  return new Stored(Object.freeze(item), itemBytes(item), holdsBinary(item))
}

/** A part of a stored item, for a caller. */
export function forCaller(item: Item, hasBinary: boolean): Item {
  return hasBinary ? copyBinaries(item) : item
}

function holdsBinary(item: Item): boolean {
  for (const name in item) if (isBinary(item[name]!)) return true
  return false
}

function isBinary(value: AttributeValue): boolean {
  if (value.B !== undefined || value.BS !== undefined) return true
  if (value.M !== undefined) return holdsBinary(value.M)
  return value.L?.some(isBinary) ?? false
}
