import type { UpdateItemRequest } from '../../dynamodb/operations/items.js'
import { readExpressions } from '../expressions/read.js'
import type { Update } from '../expressions/update.js'
import type { Action } from '../items/action.js'
import { refuseLegacy } from '../items/request.js'
import { updateAction } from '../items/update.js'
import { takeKey } from '../values/intake.js'

export function readUpdateItem(request: UpdateItemRequest): { action: Action; update: Update | undefined } {
  refuseLegacy(request, ['AttributeUpdates', 'Expected', 'ConditionalOperator'])
  const key = takeKey(request.Key)
  const { condition, update } = readExpressions(request, ['UpdateExpression', 'ConditionExpression'])
  const guard = { condition, onFailure: request.ReturnValuesOnConditionCheckFailure }
  return { action: updateAction(request.TableName, key, update, guard), update }
}
