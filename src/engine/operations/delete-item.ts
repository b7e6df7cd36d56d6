import type { DeleteItemAnswer, DeleteItemRequest } from '../../dynamodb/operations/items.js'
import type { Engine } from '../engine.js'
import { answerWrite } from '../items/answer.js'
import { carryOutAlone, planWrite } from '../items/perform.js'
import { readDeleteItem } from './delete-item.validation.js'

export function deleteItem(engine: Engine, request: DeleteItemRequest): DeleteItemAnswer | Promise<DeleteItemAnswer> {
  const action = readDeleteItem(engine, request)
  return engine.keyValues.write(() => {
    const write = planWrite(engine, action, action.locate(engine))
    const units = carryOutAlone(engine, request, write)
    const attributes = request.ReturnValues === 'ALL_OLD' ? write.before?.answer() : undefined
    return answerWrite(request, write, units, attributes)
  })
}
