import type { PutItemAnswer, PutItemRequest } from '../../dynamodb/operations/items.js'
import type { Engine } from '../engine.js'
import { answerWrite } from '../items/answer.js'
import { carryOutAlone, planWrite } from '../items/perform.js'
import { readPutItem } from './put-item.validation.js'

export function putItem(engine: Engine, request: PutItemRequest): PutItemAnswer | Promise<PutItemAnswer> {
  const action = readPutItem(engine, request)
  return engine.keyValues.write(() => {
    const write = planWrite(engine, action, action.locate(engine))
    const units = carryOutAlone(engine, request, write)
    const attributes = request.ReturnValues === 'ALL_OLD' ? write.before?.answer() : undefined
    return answerWrite(request, write, units, attributes)
  })
}
