import { ITEM_BYTES } from '../../../dynamodb/limits.js'
import type { UpdateItemInput } from '../../../dynamodb/operation-types.js'
import type { Engine } from '../../engine.js'
import type { UpdateExpression } from '../../expressions/updates/update.js'
import { checkLegacyParameters } from '../../items/request-parameters.js'
import { newUpdateAction, updateTooLargeError } from '../../items/update-action.js'
import type { WriteAction } from '../../items/write-action.js'
import { checkConditionalOperator } from '../../legacy/attribute-conditions.js'
import { readAttributeUpdates } from '../../legacy/attribute-updates.js'
import { readExpected } from '../../legacy/expected.js'
import { readWithCurrentValidator } from '../../request/validator-migration.js'
import { parseInputKey } from '../../values/parse-item.js'

const LEGACY = ['AttributeUpdates', 'Expected', 'ConditionalOperator'] as const

export function readUpdateItem(
  engine: Engine,
  request: UpdateItemInput,
): { action: WriteAction; update: UpdateExpression | undefined } {
  const { key, condition, update } = readWithCurrentValidator('UpdateItem', request, layer => {
    checkLegacyParameters(request, LEGACY)
    checkConditionalOperator(request.ConditionalOperator, request.Expected)
    const key = parseInputKey(request.Key, layer)
    const { condition, update } = engine.expressions.readUpdate(request, layer)
    return {
      key,
      update: update ?? readAttributeUpdates(request.AttributeUpdates, layer),
      condition: condition ?? readExpected(request, layer),
    }
  })
  const guard = { condition, onFailure: request.ReturnValuesOnConditionCheckFailure }
  return { action: newUpdateAction(request.TableName, key, update, guard, checkStatementBytes), update }
}

/** A statement that is larger than an item is rejected before the item is read. Transactions do not check this. */
function checkStatementBytes(update: UpdateExpression): void {
  if (update.statementBytes() > ITEM_BYTES) throw updateTooLargeError()
}
