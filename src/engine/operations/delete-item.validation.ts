import type { DeleteItemRequest } from '../../dynamodb/operations/items.js'
import type { Engine } from '../engine.js'
import type { Action } from '../items/action.js'
import { deleteAction } from '../items/delete.js'
import { onlyOldValues, refuseMixed } from '../items/request.js'
import { checkConditionalOperator } from '../legacy/conditions.js'
import { readExpected } from '../legacy/expected.js'
import { readCurrent } from '../request/read.js'
import { takeKey } from '../values/intake.js'

const LEGACY = ['Expected', 'ConditionalOperator'] as const

export function readDeleteItem(engine: Engine, request: DeleteItemRequest): Action {
  const { key, condition } = readCurrent('DeleteItem', request, layer => {
    onlyOldValues(request)
    refuseMixed(request, LEGACY)
    checkConditionalOperator(request.ConditionalOperator, request.Expected)
    const key = takeKey(request.Key, layer)
    const condition = engine.expressions.readCondition(request, layer)
    return { key, condition: condition ?? readExpected(request, layer) }
  })
  return deleteAction(request.TableName, key, { condition, onFailure: request.ReturnValuesOnConditionCheckFailure })
}
