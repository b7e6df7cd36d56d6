import { ITEM_BYTES } from '../../dynamodb/limits.js'
import type { UpdateItemRequest } from '../../dynamodb/operations/items.js'
import { readExpressions } from '../expressions/read.js'
import type { Update } from '../expressions/update.js'
import type { Action } from '../items/action.js'
import { refuseLegacy } from '../items/request.js'
import { updateAction, updateTooLarge } from '../items/update.js'
import { takeKey } from '../values/intake.js'

export function readUpdateItem(request: UpdateItemRequest): { action: Action; update: Update | undefined } {
  refuseLegacy(request, ['AttributeUpdates', 'Expected', 'ConditionalOperator'])
  const key = takeKey(request.Key)
  const { condition, update } = readExpressions(request, ['UpdateExpression', 'ConditionExpression'])
  const guard = { condition, onFailure: request.ReturnValuesOnConditionCheckFailure }
  return { action: updateAction(request.TableName, key, update, guard), update }
}

/** A statement that could not fit into an item is refused whatever the item is. In a transaction it is not. */
export function checkStatementBytes(update: Update): void {
  if (update.statementBytes() > ITEM_BYTES) throw updateTooLarge()
}
