import type { Key } from '../../dynamodb/attribute-value.js'
import type { GetItemRequest } from '../../dynamodb/operations/items.js'
import type { Engine } from '../engine.js'
import type { Projection } from '../expressions/projection.js'
import { refuseLegacy } from '../items/request.js'
import { takeKey } from '../values/intake.js'

export function readGetItem(engine: Engine, request: GetItemRequest): { key: Key; projection: Projection | undefined } {
  refuseLegacy(request, ['AttributesToGet'])
  const key = takeKey(request.Key)
  const { projection } = engine.expressions.read(request)
  return { key, projection }
}
