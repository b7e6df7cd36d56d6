import type { PutItemInput, PutItemOutput } from '../../../dynamodb/operation-types.js'
import type { Engine } from '../../engine.js'
import { executeSingleWrite, planWrite } from '../../items/run-action.js'
import { toWriteOutput } from '../../items/write-output.js'
import { readPutItem } from './put-item.validation.js'

export function putItem(engine: Engine, request: PutItemInput): PutItemOutput | Promise<PutItemOutput> {
  const action = readPutItem(engine, request)
  return engine.keyValues.write(() => {
    const write = planWrite(engine, action, action.locate(engine))
    const units = executeSingleWrite(engine, request, write)
    const attributes = request.ReturnValues === 'ALL_OLD' ? write.before?.toOutput() : undefined
    return toWriteOutput(request, write, units, attributes)
  })
}
