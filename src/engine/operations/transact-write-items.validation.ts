import { TRANSACT_BYTES } from '../../dynamodb/limits.js'
import type {
  TransactWriteItem,
  TransactWriteItemsRequest,
  Update as UpdatePart,
} from '../../dynamodb/operations/transactions.js'
import { itemBytes } from '../../dynamodb/size.js'
import type { Engine } from '../engine.js'
import { validation } from '../errors.js'
import type { Action } from '../items/action.js'
import { checkAction, deleteAction } from '../items/delete.js'
import { putAction, takeWholeItem } from '../items/put.js'
import { updateAction } from '../items/update.js'
import { takeKey } from '../values/intake.js'

/** An action together with what it counts towards the size of its transaction. */
interface SizedAction extends Action {
  readonly sizeBytes: number
}

export function readTransactWriteItems(engine: Engine, { TransactItems }: TransactWriteItemsRequest): Action[] {
  const actions = TransactItems.map(item => readAction(engine, item))
  checkWrittenBytes(actions.map(action => action.sizeBytes))
  return actions
}

export function checkWrittenBytes(sizesBytes: readonly number[]): void {
  const sizeBytes = sizesBytes.reduce((sum, bytes) => sum + bytes, 0)
  if (sizeBytes > TRANSACT_BYTES)
    throw validation(`Transaction payload size cannot exceed 4MB. Payload Size: ${sizeBytes}`)
}

function checkOneAction({ ConditionCheck, Put, Delete, Update }: TransactWriteItem): void {
  const given = [ConditionCheck, Put, Delete, Update].filter(action => action !== undefined && action !== null).length
  if (given > 1) throw validation('TransactItems can only contain one of Check, Put, Update or Delete')
  if (given === 0)
    throw validation('Invalid Request: TransactWriteRequest should contain Delete or Put or Update request')
}

function readAction(engine: Engine, item: TransactWriteItem): SizedAction {
  checkOneAction(item)
  const { ConditionCheck, Put, Delete, Update } = item
  if (Update) return readUpdate(engine, Update)
  const part = (Put ?? Delete ?? ConditionCheck)!
  if (Put) {
    const stored = takeWholeItem(Put.Item, 'older')
    return { ...putAction(Put.TableName, stored, guardOf(engine, part)), sizeBytes: stored.sizeBytes }
  }
  const guard = guardOf(engine, part)
  const key = takeKey((Delete ?? ConditionCheck)!.Key, 'older')
  const action = Delete ? deleteAction(part.TableName, key, guard) : checkAction(part.TableName, key, guard)
  return { ...action, sizeBytes: itemBytes(key) }
}

function guardOf(engine: Engine, part: NonNullable<TransactWriteItem['Put' | 'Delete' | 'ConditionCheck']>) {
  const condition = engine.expressions.readPartCondition(part)
  return { condition, onFailure: part.ReturnValuesOnConditionCheckFailure }
}

function readUpdate(engine: Engine, part: UpdatePart): SizedAction {
  const key = takeKey(part.Key, 'older')
  const { condition, update } = engine.expressions.readUpdate(part, 'older')
  const guard = { condition, onFailure: part.ReturnValuesOnConditionCheckFailure }
  const sizeBytes = itemBytes(key) + itemBytes(part.ExpressionAttributeValues ?? {})
  return { ...updateAction(part.TableName, key, update, guard), sizeBytes }
}
