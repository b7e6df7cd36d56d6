import type { PutItemInput } from '../../../dynamodb/operation-types.js'
import type { Engine } from '../../engine.js'
import { checkItemSize, newPutAction } from '../../items/put-action.js'
import { checkLegacyParameters, checkReturnsOldValues } from '../../items/request-parameters.js'
import type { WriteAction } from '../../items/write-action.js'
import { checkConditionalOperator } from '../../legacy/attribute-conditions.js'
import { readExpected } from '../../legacy/expected.js'
import { readWithCurrentValidator } from '../../request/validator-migration.js'
import { parseInputItem } from '../../values/parse-item.js'

const LEGACY = ['Expected', 'ConditionalOperator'] as const

export function readPutItem(engine: Engine, request: PutItemInput): WriteAction {
  const { stored, condition } = readWithCurrentValidator('PutItem', request, layer => {
    checkLegacyParameters(request, LEGACY)
    checkConditionalOperator(request.ConditionalOperator, request.Expected)
    const stored = parseInputItem(request.Item, layer)
    const condition = engine.expressions.readCondition(request, layer)
    checkReturnsOldValues(request)
    return { stored, condition: condition ?? readExpected(request, layer) }
  })
  checkItemSize(stored)
  return newPutAction(request.TableName, stored, { condition, onFailure: request.ReturnValuesOnConditionCheckFailure })
}
