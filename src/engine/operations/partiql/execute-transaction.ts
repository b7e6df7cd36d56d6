import { countReadUnits } from '../../../dynamodb/capacity.js'
import type {
  ExecuteTransactionInput,
  ExecuteTransactionOutput,
  ItemResponse,
} from '../../../dynamodb/operation-types.js'
import { TableUnits } from '../../capacity/consumed-capacity.js'
import type { Engine } from '../../engine.js'
import { toOutputItem } from '../../items/output-item.js'
import { admitTransactionRead, countRead, executeTransactionWrites, planWrite } from '../../items/run-action.js'
import type { ItemLocation, PlannedWrite, WriteAction } from '../../items/write-action.js'
import type { PreparedSelect } from '../../partiql/run-select.js'
import { toTokenizedRequest, writeWithToken } from '../../transactions/idempotency-tokens.js'
import { checkDistinctItems, TransactionOutcomes } from '../../transactions/transaction-outcomes.js'
import { checkTransactionReadSize } from '../transactions/transact-get-items.validation.js'
import { chargeRepeatedTransaction } from '../transactions/transact-write-items.js'
import {
  locateTransactionRead,
  newTransactionAction,
  readExecuteTransaction,
  type TransactionReadStatement,
  type TransactionWriteStatement,
} from './execute-transaction.validation.js'

export function executeTransaction(
  engine: Engine,
  request: ExecuteTransactionInput,
): ExecuteTransactionOutput | Promise<ExecuteTransactionOutput> {
  const { reads, writes } = readExecuteTransaction(engine, request)
  if (reads.length > 0) return runReads(engine, request, reads)
  const tokenized = toTokenizedRequest({ ...request, TransactItems: request.TransactStatements })
  const { inFlight } = engine
  const output = writeWithToken(engine, tokenized, () => {
    inFlight?.checkTokenFree(tokenized?.token)
    const repeated = engine.tokens.findRepeated(tokenized, engine.now())
    if (repeated) return toTransactionOutput(request, [], chargeRepeatedTransaction(engine, repeated), 'read')
    const planned = planWrites(engine, writes)
    const units = new TableUnits()
    const spent = executeTransactionWrites(engine, request, planned, tokenized?.token)
    for (const [i, { table }] of planned.entries()) units.add(table, spent[i]!)
    engine.tokens.remember(tokenized, planned, engine.now())
    return toTransactionOutput(request, [], units, 'write')
  })
  return inFlight ? inFlight.waitUntilOver(output) : output
}

function runReads(
  engine: Engine,
  request: ExecuteTransactionInput,
  reads: readonly TransactionReadStatement[],
): ExecuteTransactionOutput {
  const outcomes = new TransactionOutcomes(reads.length, 'statements')
  const places = reads.map((read, i) =>
    outcomes.attempt(i, () => admitTransactionRead(engine, locateTransactionRead(engine, read))),
  )
  outcomes.throwIfAnyFailed()
  checkDistinctItems(places)
  checkTransactionReadSize(places.map(place => place?.before?.sizeBytes ?? 0))
  const units = new TableUnits()
  const responses = (places as ItemLocation[]).map((place, i) => {
    const spent = countReadUnits(place.before?.sizeBytes ?? 0, 'transactional')
    countRead(engine, place, spent)
    units.add(place.table, { table: spent, indexes: undefined })
    return toItemResponse(place, reads[i]!.select)
  })
  return toTransactionOutput(request, responses, units, 'read')
}

function toItemResponse({ before }: ItemLocation, { projection }: PreparedSelect): ItemResponse {
  return before ? { Item: toOutputItem(before, projection) } : {}
}

/**
 * Plans the writes like TransactWriteItems: all are located, duplicates are rejected, and all are planned so that each
 * has its own reason.
 */
function planWrites(engine: Engine, writes: readonly TransactionWriteStatement[]): PlannedWrite[] {
  const outcomes = new TransactionOutcomes(writes.length, 'statements')
  const actions: (WriteAction | undefined)[] = writes.map((write, i) =>
    outcomes.attempt(i, () => newTransactionAction(engine, write)),
  )
  const places = actions.map((action, i) => action && outcomes.attempt(i, () => action.locate(engine)))
  // Invalid keys are reported before conditions on items.
  outcomes.throwIfAnyFailed()
  checkDistinctItems(places)
  const planned = places.map((place, i) => place && outcomes.attempt(i, () => planWrite(engine, actions[i]!, place)))
  // The condition of a DELETE has no effect on an item that does not exist.
  planned.forEach((plannedWrite, i) => {
    const { write } = writes[i]!
    if (
      plannedWrite &&
      !plannedWrite.before &&
      write.type === 'delete' &&
      write.hasConditionBeyondKey(plannedWrite.table)
    )
      outcomes.markDoubtful(i)
  })
  outcomes.throwIfAnyFailed()
  return planned as PlannedWrite[]
}

function toTransactionOutput(
  request: ExecuteTransactionInput,
  Responses: ItemResponse[],
  units: TableUnits,
  direction: 'read' | 'write',
): ExecuteTransactionOutput {
  const answer: ExecuteTransactionOutput = { Responses }
  const consumed = units.toConsumedCapacities(request.ReturnConsumedCapacity, direction)
  if (consumed) answer.ConsumedCapacity = consumed
  return answer
}
