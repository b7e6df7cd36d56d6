import type { PutItemRequest } from '../../dynamodb/operations/items.js'
import { readExpressions } from '../expressions/read.js'
import type { Action } from '../items/action.js'
import { putAction, takeWholeItem } from '../items/put.js'
import { onlyOldValues, refuseLegacy } from '../items/request.js'

export function readPutItem(request: PutItemRequest): Action {
  refuseLegacy(request, ['Expected', 'ConditionalOperator'])
  const stored = takeWholeItem(request.Item)
  const { condition } = readExpressions(request)
  onlyOldValues(request)
  return putAction(request.TableName, stored, { condition, onFailure: request.ReturnValuesOnConditionCheckFailure })
}
