import { TRANSACT_BYTES } from '../../../dynamodb/limits.js'
import type {
  TransactWriteItem,
  TransactWriteItemsInput,
  Update as UpdatePart,
} from '../../../dynamodb/operation-types.js'
import { countItemBytes } from '../../../dynamodb/size.js'
import type { Engine } from '../../engine.js'
import { validationError } from '../../errors.js'
import { newCheckAction, newDeleteAction } from '../../items/delete-action.js'
import { newPutAction, parseWholeItem } from '../../items/put-action.js'
import { newUpdateAction } from '../../items/update-action.js'
import type { WriteAction } from '../../items/write-action.js'
import { parseInputKey } from '../../values/parse-item.js'

/** An action with its contribution to the size of the transaction. */
interface SizedAction extends WriteAction {
  readonly sizeBytes: number
}

export function readTransactWriteItems(engine: Engine, { TransactItems }: TransactWriteItemsInput): WriteAction[] {
  const actions = TransactItems.map(item => readAction(engine, item))
  checkTransactionWriteSize(actions.map(action => action.sizeBytes))
  return actions
}

export function checkTransactionWriteSize(sizesBytes: readonly number[]): void {
  const sizeBytes = sizesBytes.reduce((sum, bytes) => sum + bytes, 0)
  if (sizeBytes > TRANSACT_BYTES)
    throw validationError(`Transaction payload size cannot exceed 4MB. Payload Size: ${sizeBytes}`)
}

function checkSingleAction({ ConditionCheck, Put, Delete, Update }: TransactWriteItem): void {
  const actionCount = [ConditionCheck, Put, Delete, Update].filter(
    action => action !== undefined && action !== null,
  ).length
  if (actionCount > 1) throw validationError('TransactItems can only contain one of Check, Put, Update or Delete')
  if (actionCount === 0)
    throw validationError('Invalid Request: TransactWriteRequest should contain Delete or Put or Update request')
}

function readAction(engine: Engine, item: TransactWriteItem): SizedAction {
  checkSingleAction(item)
  const { ConditionCheck, Put, Delete, Update } = item
  if (Update) return readUpdate(engine, Update)
  const part = (Put ?? Delete ?? ConditionCheck)!
  if (Put) {
    const stored = parseWholeItem(Put.Item, 'older')
    return { ...newPutAction(Put.TableName, stored, readGuard(engine, part)), sizeBytes: stored.sizeBytes }
  }
  const guard = readGuard(engine, part)
  const key = parseInputKey((Delete ?? ConditionCheck)!.Key, 'older')
  const action = Delete ? newDeleteAction(part.TableName, key, guard) : newCheckAction(part.TableName, key, guard)
  return { ...action, sizeBytes: countItemBytes(key) }
}

function readGuard(engine: Engine, part: NonNullable<TransactWriteItem['Put' | 'Delete' | 'ConditionCheck']>) {
  const condition = engine.expressions.readTransactionCondition(part)
  return { condition, onFailure: part.ReturnValuesOnConditionCheckFailure }
}

function readUpdate(engine: Engine, part: UpdatePart): SizedAction {
  const key = parseInputKey(part.Key, 'older')
  const { condition, update } = engine.expressions.readUpdate(part, 'older')
  const guard = { condition, onFailure: part.ReturnValuesOnConditionCheckFailure }
  const sizeBytes = countItemBytes(key) + countItemBytes(part.ExpressionAttributeValues ?? {})
  return { ...newUpdateAction(part.TableName, key, update, guard), sizeBytes }
}
