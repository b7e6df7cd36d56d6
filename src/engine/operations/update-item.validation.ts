import { ITEM_BYTES } from '../../dynamodb/limits.js'
import type { UpdateItemRequest } from '../../dynamodb/operations/items.js'
import type { Engine } from '../engine.js'
import type { Update } from '../expressions/update.js'
import type { Action } from '../items/action.js'
import { refuseMixed } from '../items/request.js'
import { updateAction, updateTooLarge } from '../items/update.js'
import { readAttributeUpdates } from '../legacy/attribute-updates.js'
import { checkConditionalOperator } from '../legacy/conditions.js'
import { readExpected } from '../legacy/expected.js'
import { readCurrent } from '../request/read.js'
import { takeKey } from '../values/intake.js'

const LEGACY = ['AttributeUpdates', 'Expected', 'ConditionalOperator'] as const

export function readUpdateItem(
  engine: Engine,
  request: UpdateItemRequest,
): { action: Action; update: Update | undefined } {
  const { key, condition, update } = readCurrent('UpdateItem', request, layer => {
    refuseMixed(request, LEGACY)
    checkConditionalOperator(request.ConditionalOperator, request.Expected)
    const key = takeKey(request.Key, layer)
    const { condition, update } = engine.expressions.readUpdate(request, layer)
    return {
      key,
      update: update ?? readAttributeUpdates(request.AttributeUpdates, layer),
      condition: condition ?? readExpected(request, layer),
    }
  })
  const guard = { condition, onFailure: request.ReturnValuesOnConditionCheckFailure }
  return { action: updateAction(request.TableName, key, update, guard, checkStatementBytes), update }
}

/** A statement that could not fit into an item is refused whatever the item is. In a transaction it is not. */
function checkStatementBytes(update: Update): void {
  if (update.statementBytes() > ITEM_BYTES) throw updateTooLarge()
}
