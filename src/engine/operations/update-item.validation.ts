import { ITEM_BYTES } from '../../dynamodb/limits.js'
import type { UpdateItemRequest } from '../../dynamodb/operations/items.js'
import type { Engine } from '../engine.js'
import type { Update } from '../expressions/update.js'
import type { Action } from '../items/action.js'
import { refuseLegacy } from '../items/request.js'
import { updateAction, updateTooLarge } from '../items/update.js'
import { takeKey } from '../values/intake.js'

export function readUpdateItem(
  engine: Engine,
  request: UpdateItemRequest,
): { action: Action; update: Update | undefined } {
  refuseLegacy(request, ['AttributeUpdates', 'Expected', 'ConditionalOperator'])
  const key = takeKey(request.Key)
  const { condition, update } = engine.expressions.read(request, ['UpdateExpression', 'ConditionExpression'])
  const guard = { condition, onFailure: request.ReturnValuesOnConditionCheckFailure }
  return { action: updateAction(request.TableName, key, update, guard), update }
}

/** A statement that could not fit into an item is refused whatever the item is. In a transaction it is not. */
export function checkStatementBytes(update: Update): void {
  if (update.statementBytes() > ITEM_BYTES) throw updateTooLarge()
}
