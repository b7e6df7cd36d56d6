import type { Item } from '../../dynamodb/attribute-value.js'
import type { ReturnValue, UpdateItemAnswer, UpdateItemRequest } from '../../dynamodb/operations/items.js'
import type { Engine } from '../engine.js'
import type { Update } from '../expressions/update.js'
import type { PlannedWrite } from '../items/action.js'
import { answerWrite } from '../items/answer.js'
import { carryOutAlone, planWrite } from '../items/perform.js'
import { forCaller } from '../values/stored.js'
import { readUpdateItem } from './update-item.validation.js'

export function updateItem(engine: Engine, request: UpdateItemRequest): UpdateItemAnswer | Promise<UpdateItemAnswer> {
  const { action, update } = readUpdateItem(engine, request)
  return engine.keyValues.write(() => {
    const place = action.locate(engine)
    const write = planWrite(engine, action, place)
    const units = carryOutAlone(engine, request, write)
    return answerWrite(request, write, units, returnedAttributes(request.ReturnValues, write, update))
  })
}

export function returnedAttributes(
  returnValues: ReturnValue | undefined,
  { before, after }: PlannedWrite,
  update: Update | undefined,
): Item | undefined {
  switch (returnValues) {
    case 'ALL_OLD':
      return before?.answer()
    case 'ALL_NEW':
      return after?.answer()
    case 'UPDATED_OLD':
      return before && update && someAttributes(update.updated(before.item), before.hasBinary)
    case 'UPDATED_NEW':
      return after && update && someAttributes(update.updated(after.item), after.hasBinary)
    default:
      return undefined
  }
}

function someAttributes(item: Item, hasBinary: boolean): Item | undefined {
  for (const _ in item) return forCaller(item, hasBinary)
  return undefined
}
