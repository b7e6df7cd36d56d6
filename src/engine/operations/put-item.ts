import type { PutItemAnswer, PutItemRequest } from '../../dynamodb/operations/items.js'
import type { Engine } from '../engine.js'
import { carryOut, isMetered } from '../items/action.js'
import { answerWrite } from '../items/answer.js'
import { readPutItem } from './put-item.validation.js'

export function putItem(engine: Engine, request: PutItemRequest): PutItemAnswer | Promise<PutItemAnswer> {
  const action = readPutItem(engine, request)
  return engine.keyValues.write(() => {
    const write = action.plan(action.locate(engine))
    const units = carryOut(write, isMetered(request))
    const attributes = request.ReturnValues === 'ALL_OLD' ? write.before?.answer() : undefined
    return answerWrite(request, write, units, attributes)
  })
}
