import type { Item } from '../../../dynamodb/attribute-value.js'
import type { ReturnValue, UpdateItemInput, UpdateItemOutput } from '../../../dynamodb/operation-types.js'
import type { Engine } from '../../engine.js'
import type { UpdateExpression } from '../../expressions/updates/update.js'
import { executeSingleWrite, planWrite } from '../../items/run-action.js'
import type { PlannedWrite } from '../../items/write-action.js'
import { toWriteOutput } from '../../items/write-output.js'
import { toCallerItem } from '../../values/stored-item.js'
import { readUpdateItem } from './update-item.validation.js'

export function updateItem(engine: Engine, request: UpdateItemInput): UpdateItemOutput | Promise<UpdateItemOutput> {
  const { action, update } = readUpdateItem(engine, request)
  return engine.keyValues.write(() => {
    const place = action.locate(engine)
    const write = planWrite(engine, action, place)
    const units = executeSingleWrite(engine, request, write)
    return toWriteOutput(request, write, units, toReturnedAttributes(request.ReturnValues, write, update))
  })
}

export function toReturnedAttributes(
  returnValues: ReturnValue | undefined,
  { before, after }: PlannedWrite,
  update: UpdateExpression | undefined,
): Item | undefined {
  switch (returnValues) {
    case 'ALL_OLD':
      return before?.toOutput()
    case 'ALL_NEW':
      return after?.toOutput()
    case 'UPDATED_OLD':
      return before && update && toAttributesUnlessEmpty(update.projectUpdated(before.item), before.hasBinary)
    case 'UPDATED_NEW':
      return after && update && toAttributesUnlessEmpty(update.projectUpdated(after.item), after.hasBinary)
    default:
      return undefined
  }
}

function toAttributesUnlessEmpty(item: Item, hasBinary: boolean): Item | undefined {
  for (const _ in item) return toCallerItem(item, hasBinary)
  return undefined
}
