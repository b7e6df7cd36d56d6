import type { DeleteItemInput } from '../../../dynamodb/operation-types.js'
import type { Engine } from '../../engine.js'
import { newDeleteAction } from '../../items/delete-action.js'
import { checkLegacyParameters, checkReturnsOldValues } from '../../items/request-parameters.js'
import type { WriteAction } from '../../items/write-action.js'
import { checkConditionalOperator } from '../../legacy/attribute-conditions.js'
import { readExpected } from '../../legacy/expected.js'
import { readWithCurrentValidator } from '../../request/validator-migration.js'
import { parseInputKey } from '../../values/parse-item.js'

const LEGACY = ['Expected', 'ConditionalOperator'] as const

export function readDeleteItem(engine: Engine, request: DeleteItemInput): WriteAction {
  const { key, condition } = readWithCurrentValidator('DeleteItem', request, layer => {
    checkReturnsOldValues(request)
    checkLegacyParameters(request, LEGACY)
    checkConditionalOperator(request.ConditionalOperator, request.Expected)
    const key = parseInputKey(request.Key, layer)
    const condition = engine.expressions.readCondition(request, layer)
    return { key, condition: condition ?? readExpected(request, layer) }
  })
  return newDeleteAction(request.TableName, key, { condition, onFailure: request.ReturnValuesOnConditionCheckFailure })
}
