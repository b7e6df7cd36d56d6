import type { Item } from '../../dynamodb/attribute-value.js'
import type { Projection } from '../expressions/projection.js'
import { forCaller, type Stored } from '../values/stored.js'

/** An item for a caller, or what it asked for of it. */
export function answerItem(stored: Stored, projection: Projection | undefined): Item {
  return projection ? forCaller(projection.project(stored.item), stored.hasBinary) : stored.answer()
}
