import type { Item } from '../../dynamodb/attribute-value.js'
import type { ProjectionExpression } from '../expressions/projection.js'
import { type StoredItem, toCallerItem } from '../values/stored-item.js'

/** Returns an item, or its projection, as a copy that a caller may change. */
export function toOutputItem(stored: StoredItem, projection: ProjectionExpression | undefined): Item {
  return projection ? toCallerItem(projection.project(stored.item), stored.hasBinary) : stored.toOutput()
}
