import type { Key } from '../../dynamodb/attribute-value.js'
import type { GetItemRequest } from '../../dynamodb/operations/items.js'
import type { Projection } from '../expressions/projection.js'
import { readExpressions } from '../expressions/read.js'
import { refuseLegacy } from '../items/request.js'
import { takeKey } from '../values/intake.js'

export function readGetItem(request: GetItemRequest): { key: Key; projection: Projection | undefined } {
  refuseLegacy(request, ['AttributesToGet'])
  const key = takeKey(request.Key)
  const { projection } = readExpressions(request)
  return { key, projection }
}
