import type { DeleteItemRequest } from '../../dynamodb/operations/items.js'
import { readExpressions } from '../expressions/read.js'
import type { Action } from '../items/action.js'
import { deleteAction } from '../items/delete.js'
import { onlyOldValues, refuseLegacy } from '../items/request.js'
import { takeKey } from '../values/intake.js'

export function readDeleteItem(request: DeleteItemRequest): Action {
  refuseLegacy(request, ['Expected', 'ConditionalOperator'])
  const key = takeKey(request.Key)
  onlyOldValues(request)
  const { condition } = readExpressions(request)
  return deleteAction(request.TableName, key, { condition, onFailure: request.ReturnValuesOnConditionCheckFailure })
}
