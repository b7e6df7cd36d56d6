import type { Key } from '../../dynamodb/attribute-value.js'
import { TRANSACT_BYTES } from '../../dynamodb/limits.js'
import type {
  TransactWriteItem,
  TransactWriteItemsRequest,
  Update as UpdatePart,
} from '../../dynamodb/operations/transactions.js'
import { itemBytes } from '../../dynamodb/size.js'
import type { Engine } from '../engine.js'
import { validation } from '../errors.js'
import { readExpressions } from '../expressions/read.js'
import type { Action } from '../items/action.js'
import { checkAction, deleteAction } from '../items/delete.js'
import { putAction, takeWholeItem } from '../items/put.js'
import { updateAction } from '../items/update.js'
import { encodeKey, hasKey } from '../keys/schema.js'
import { findTable } from '../tables/find.js'
import { takeKey } from '../values/intake.js'

/** An action together with what it names, by which several on one item are refused. */
export interface TransactAction extends Action {
  readonly key: Key
  readonly sizeBytes: number
}

export function readTransactWriteItems({ TransactItems }: TransactWriteItemsRequest): TransactAction[] {
  for (const item of TransactItems) checkOneAction(item)
  const actions = TransactItems.map(readAction)
  if (actions.reduce((sum, action) => sum + action.sizeBytes, 0) > TRANSACT_BYTES)
    throw validation(
      'Collection size of items exceeded, which can also be caused by the aggregate size of the items in the ' +
        'transaction exceeding the 4MB limit',
    )
  return actions
}

function checkOneAction({ ConditionCheck, Put, Delete, Update }: TransactWriteItem): void {
  const given = [ConditionCheck, Put, Delete, Update].filter(action => action !== undefined && action !== null).length
  if (given > 1) throw validation('TransactItems can only contain one of Check, Put, Update or Delete')
  if (given === 0)
    throw validation('Invalid Request: TransactWriteRequest should contain Delete or Put or Update request')
}

function readAction({ ConditionCheck, Put, Delete, Update }: TransactWriteItem): TransactAction {
  if (Update) return readUpdate(Update)
  const part = (Put ?? Delete ?? ConditionCheck)!
  if (Put) {
    const stored = takeWholeItem(Put.Item)
    return { ...putAction(Put.TableName, stored, guardOf(part)), key: stored.item, sizeBytes: stored.sizeBytes }
  }
  const key = takeKey((Delete ?? ConditionCheck)!.Key)
  const action = Delete
    ? deleteAction(part.TableName, key, guardOf(part))
    : checkAction(part.TableName, key, guardOf(part))
  return { ...action, key, sizeBytes: itemBytes(key) }
}

function guardOf(part: NonNullable<TransactWriteItem['Put' | 'Delete' | 'ConditionCheck']>) {
  const { condition } = readExpressions(part)
  return { condition, onFailure: part.ReturnValuesOnConditionCheckFailure }
}

function readUpdate(part: UpdatePart): TransactAction {
  const key = takeKey(part.Key)
  const { condition, update } = readExpressions(part, ['UpdateExpression', 'ConditionExpression'])
  const guard = { condition, onFailure: part.ReturnValuesOnConditionCheckFailure }
  const sizeBytes = itemBytes(key) + itemBytes(part.ExpressionAttributeValues ?? {})
  return { ...updateAction(part.TableName, key, update, guard), key, sizeBytes }
}

/** Every table must be there, and no item be named twice. A key that is no key is left for its own action to refuse. */
export function checkTargets(engine: Engine, actions: readonly TransactAction[]): void {
  const targets = new Set<string>()
  for (const { tableName, key } of actions) {
    const table = findTable(engine, tableName)
    if (!hasKey(table.keys, key)) continue
    const target = `${table.name}/${encodeKey(table.keys, key)}`
    if (targets.has(target)) throw validation('Transaction request cannot include multiple operations on one item')
    targets.add(target)
  }
}
