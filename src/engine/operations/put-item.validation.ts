import type { PutItemRequest } from '../../dynamodb/operations/items.js'
import type { Engine } from '../engine.js'
import type { Action } from '../items/action.js'
import { putAction, takeWholeItem } from '../items/put.js'
import { onlyOldValues, refuseLegacy } from '../items/request.js'

export function readPutItem(engine: Engine, request: PutItemRequest): Action {
  refuseLegacy(request, ['Expected', 'ConditionalOperator'])
  const stored = takeWholeItem(request.Item)
  const { condition } = engine.expressions.read(request)
  onlyOldValues(request)
  return putAction(request.TableName, stored, { condition, onFailure: request.ReturnValuesOnConditionCheckFailure })
}
