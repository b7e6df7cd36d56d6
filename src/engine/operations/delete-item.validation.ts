import type { DeleteItemRequest } from '../../dynamodb/operations/items.js'
import type { Engine } from '../engine.js'
import type { Action } from '../items/action.js'
import { deleteAction } from '../items/delete.js'
import { onlyOldValues, refuseLegacy } from '../items/request.js'
import { takeKey } from '../values/intake.js'

export function readDeleteItem(engine: Engine, request: DeleteItemRequest): Action {
  refuseLegacy(request, ['Expected', 'ConditionalOperator'])
  const key = takeKey(request.Key)
  onlyOldValues(request)
  const { condition } = engine.expressions.read(request)
  return deleteAction(request.TableName, key, { condition, onFailure: request.ReturnValuesOnConditionCheckFailure })
}
