import { countReadUnits } from '../../../dynamodb/capacity.js'
import type {
  TransactWriteItem,
  TransactWriteItemsInput,
  TransactWriteItemsOutput,
} from '../../../dynamodb/operation-types.js'
import { TableUnits } from '../../capacity/consumed-capacity.js'
import type { Engine } from '../../engine.js'
import { executeTransactionWrites, planWrite } from '../../items/run-action.js'
import type { ItemLocation, PlannedWrite, WriteAction } from '../../items/write-action.js'
import { findTable } from '../../tables/find-table.js'
import { toTokenizedRequest, type WrittenBytes, writeWithToken } from '../../transactions/idempotency-tokens.js'
import { checkDistinctItems, TransactionOutcomes } from '../../transactions/transaction-outcomes.js'
import { measureItemCollections } from '../batches/batch-write-item.js'
import { readTransactWriteItems } from './transact-write-items.validation.js'

export function transactWriteItems(
  engine: Engine,
  request: TransactWriteItemsInput,
): TransactWriteItemsOutput | Promise<TransactWriteItemsOutput> {
  const actions = readTransactWriteItems(engine, request)
  const names = request.TransactItems.map(tableNameOf)
  const tokenized = toTokenizedRequest(request)
  const { inFlight } = engine
  const output = writeWithToken(engine, tokenized, () => {
    inFlight?.checkTokenFree(tokenized?.token)
    const repeated = engine.tokens.findRepeated(tokenized, engine.now())
    if (repeated) return toTransactionOutput(request, chargeRepeatedTransaction(engine, repeated, names), [], 'read')
    const writes = planWrites(engine, actions)
    const units = new TableUnits()
    const spent = executeTransactionWrites(engine, request, writes, tokenized?.token)
    for (const [i, { table }] of writes.entries()) units.add(table, spent[i]!, names[i])
    engine.tokens.remember(tokenized, writes, engine.now())
    return toTransactionOutput(request, units, writes, 'write')
  })
  return inFlight ? inFlight.waitUntilOver(output) : output
}

/**
 * Plans the writes of a transaction. All actions are located first, because no item may occur twice; the first that
 * fails is the only one with a reason. Then all are planned, so that each failure has its own reason.
 */
function planWrites(engine: Engine, actions: readonly WriteAction[]): PlannedWrite[] {
  const outcomes = new TransactionOutcomes(actions.length, 'writes')
  const places: ItemLocation[] = []
  for (const [i, action] of actions.entries()) {
    const place = outcomes.attempt(i, () => action.locate(engine))
    if (!place) break
    places.push(place)
  }
  checkDistinctItems(places)
  outcomes.throwIfAnyFailed()
  const writes = places.map((place, i) => outcomes.attempt(i, () => planWrite(engine, actions[i]!, place)))
  outcomes.throwIfAnyFailed()
  return writes as PlannedWrite[]
}

/**
 * Charges a repeated transaction with the same token: reads of the items that it wrote. All of its tables must still
 * exist.
 */
export function chargeRepeatedTransaction(
  engine: Engine,
  written: readonly WrittenBytes[],
  names: readonly string[] = [],
): TableUnits {
  const units = new TableUnits()
  for (const [i, { tableName, bytes }] of written.entries()) {
    const table = findTable(engine, tableName)
    units.add(table, { table: countReadUnits(bytes, 'transactional'), indexes: undefined }, names[i])
  }
  return units
}

const tableNameOf = ({ ConditionCheck, Put, Delete, Update }: TransactWriteItem) =>
  (ConditionCheck ?? Put ?? Delete ?? Update)!.TableName

function toTransactionOutput(
  request: TransactWriteItemsInput,
  units: TableUnits,
  writes: readonly PlannedWrite[],
  direction: 'read' | 'write',
): TransactWriteItemsOutput {
  const result: TransactWriteItemsOutput = {}
  const consumed = units.toConsumedCapacities(request.ReturnConsumedCapacity, direction)
  if (consumed) result.ConsumedCapacity = consumed
  const metrics = measureItemCollections(request.ReturnItemCollectionMetrics, writes)
  if (metrics) result.ItemCollectionMetrics = metrics
  return result
}
