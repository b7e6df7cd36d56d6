import type { PutItemRequest } from '../../dynamodb/operations/items.js'
import type { Engine } from '../engine.js'
import type { Action } from '../items/action.js'
import { checkItemBytes, putAction } from '../items/put.js'
import { onlyOldValues, refuseMixed } from '../items/request.js'
import { checkConditionalOperator } from '../legacy/conditions.js'
import { readExpected } from '../legacy/expected.js'
import { readCurrent } from '../request/read.js'
import { takeItem } from '../values/intake.js'

const LEGACY = ['Expected', 'ConditionalOperator'] as const

export function readPutItem(engine: Engine, request: PutItemRequest): Action {
  const { stored, condition } = readCurrent('PutItem', request, layer => {
    refuseMixed(request, LEGACY)
    checkConditionalOperator(request.ConditionalOperator, request.Expected)
    const stored = takeItem(request.Item, layer)
    const condition = engine.expressions.readCondition(request, layer)
    onlyOldValues(request)
    return { stored, condition: condition ?? readExpected(request, layer) }
  })
  checkItemBytes(stored)
  return putAction(request.TableName, stored, { condition, onFailure: request.ReturnValuesOnConditionCheckFailure })
}
