import { readUnits } from '../../dynamodb/capacity.js'
import type { ExecuteTransactionAnswer, ExecuteTransactionRequest } from '../../dynamodb/operations/statements.js'
import type { ItemResponse } from '../../dynamodb/operations/transactions.js'
import { TableUnits } from '../capacity/consumed.js'
import type { Engine } from '../engine.js'
import type { Action, Place, PlannedWrite } from '../items/action.js'
import { admitTogether, carryOutTogether, countRead, planWrite } from '../items/perform.js'
import { answerItem } from '../items/read.js'
import type { PreparedSelect } from '../partiql/select.js'
import { checkTargets, Outcomes } from '../transactions/cancellation.js'
import { sentUnderToken, writeUnderToken } from '../transactions/tokens.js'
import {
  readExecuteTransaction,
  type TransactionRead,
  type TransactionWrite,
  transactionAction,
  transactionPlace,
} from './execute-transaction.validation.js'
import { checkReadBytes } from './transact-get-items.validation.js'
import { readAgain } from './transact-write-items.js'

export function executeTransaction(
  engine: Engine,
  request: ExecuteTransactionRequest,
): ExecuteTransactionAnswer | Promise<ExecuteTransactionAnswer> {
  const { reads, writes } = readExecuteTransaction(engine, request)
  if (reads.length > 0) return read(engine, request, reads)
  const sent = sentUnderToken({ ...request, TransactItems: request.TransactStatements })
  const { inFlight } = engine
  const answer = writeUnderToken(engine, sent, () => {
    inFlight?.refuseToken(sent?.token)
    const repeated = engine.tokens.repeated(sent, engine.now())
    if (repeated) return answered(request, [], readAgain(engine, repeated), 'read')
    const planned = planAll(engine, writes)
    const units = new TableUnits()
    const spent = carryOutTogether(engine, request, planned, sent?.token)
    for (const [i, { table }] of planned.entries()) units.add(table, spent[i]!)
    engine.tokens.remember(sent, planned, engine.now())
    return answered(request, [], units, 'write')
  })
  return inFlight ? inFlight.answered(answer) : answer
}

function read(
  engine: Engine,
  request: ExecuteTransactionRequest,
  reads: readonly TransactionRead[],
): ExecuteTransactionAnswer {
  const outcomes = new Outcomes(reads.length, 'statements')
  const places = reads.map((one, i) => outcomes.attempt(i, () => admitTogether(engine, transactionPlace(engine, one))))
  outcomes.cancelIfAny()
  checkTargets(places)
  checkReadBytes(places.map(place => place?.before?.sizeBytes ?? 0))
  const units = new TableUnits()
  const responses = (places as Place[]).map((place, i) => {
    const spent = readUnits(place.before?.sizeBytes ?? 0, 'transactional')
    countRead(engine, place, spent)
    units.add(place.table, { table: spent, indexes: undefined })
    return respond(place, reads[i]!.select)
  })
  return answered(request, responses, units, 'read')
}

function respond({ before }: Place, { projection }: PreparedSelect): ItemResponse {
  return before ? { Item: answerItem(before, projection) } : {}
}

/** As a transaction of writes does it: all are located, no item twice, and all are tried, so that each has its reason. */
function planAll(engine: Engine, writes: readonly TransactionWrite[]): PlannedWrite[] {
  const outcomes = new Outcomes(writes.length, 'statements')
  const actions: (Action | undefined)[] = writes.map((write, i) =>
    outcomes.attempt(i, () => transactionAction(engine, write)),
  )
  const places = actions.map((action, i) => action && outcomes.attempt(i, () => action.locate(engine)))
  // A key that cannot be looked up is told before what any item is.
  outcomes.cancelIfAny()
  checkTargets(places)
  const planned = places.map((place, i) => place && outcomes.attempt(i, () => planWrite(engine, actions[i]!, place)))
  // What a deletion asks of an item that is not there keeps it from nothing.
  planned.forEach((one, i) => {
    const { write } = writes[i]!
    if (one && !one.before && write.type === 'delete' && write.asksMore(one.table)) outcomes.doubt(i)
  })
  outcomes.cancelIfAny()
  return planned as PlannedWrite[]
}

function answered(
  request: ExecuteTransactionRequest,
  Responses: ItemResponse[],
  units: TableUnits,
  direction: 'read' | 'write',
): ExecuteTransactionAnswer {
  const answer: ExecuteTransactionAnswer = { Responses }
  const consumed = units.consumed(request.ReturnConsumedCapacity, direction)
  if (consumed) answer.ConsumedCapacity = consumed
  return answer
}
