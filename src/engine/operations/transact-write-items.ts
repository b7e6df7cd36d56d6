import { readUnits } from '../../dynamodb/capacity.js'
import type {
  TransactWriteItem,
  TransactWriteItemsAnswer,
  TransactWriteItemsRequest,
} from '../../dynamodb/operations/transactions.js'
import { TableUnits } from '../capacity/consumed.js'
import type { Engine } from '../engine.js'
import type { Action, Place, PlannedWrite } from '../items/action.js'
import { carryOutTogether, planWrite } from '../items/perform.js'
import { findTable } from '../tables/find.js'
import { checkTargets, Outcomes } from '../transactions/cancellation.js'
import { sentUnderToken, type WrittenBytes, writeUnderToken } from '../transactions/tokens.js'
import { collectionMetrics } from './batch-write-item.js'
import { readTransactWriteItems } from './transact-write-items.validation.js'

export function transactWriteItems(
  engine: Engine,
  request: TransactWriteItemsRequest,
): TransactWriteItemsAnswer | Promise<TransactWriteItemsAnswer> {
  const actions = readTransactWriteItems(engine, request)
  const names = request.TransactItems.map(nameIn)
  const sent = sentUnderToken(request)
  const { inFlight } = engine
  const answered = writeUnderToken(engine, sent, () => {
    inFlight?.refuseToken(sent?.token)
    const repeated = engine.tokens.repeated(sent, engine.now())
    if (repeated) return answer(request, readAgain(engine, repeated, names), [], 'read')
    const writes = planAll(engine, actions)
    const units = new TableUnits()
    const spent = carryOutTogether(engine, request, writes, sent?.token)
    for (const [i, { table }] of writes.entries()) units.add(table, spent[i]!, names[i])
    engine.tokens.remember(sent, writes, engine.now())
    return answer(request, units, writes, 'write')
  })
  return inFlight ? inFlight.answered(answered) : answered
}

/**
 * Every action is located before any is planned: no item may be named twice. The first that cannot be located is the
 * only one with a reason. Then all are planned, so that each has its own.
 */
function planAll(engine: Engine, actions: readonly Action[]): PlannedWrite[] {
  const outcomes = new Outcomes(actions.length, 'writes')
  const places: Place[] = []
  for (const [i, action] of actions.entries()) {
    const place = outcomes.attempt(i, () => action.locate(engine))
    if (!place) break
    places.push(place)
  }
  checkTargets(places)
  outcomes.cancelIfAny()
  const writes = places.map((place, i) => outcomes.attempt(i, () => planWrite(engine, actions[i]!, place)))
  outcomes.cancelIfAny()
  return writes as PlannedWrite[]
}

/** Repeating a transaction under its token costs reads of what it wrote. All of its tables must still exist. */
export function readAgain(engine: Engine, written: readonly WrittenBytes[], names: readonly string[] = []): TableUnits {
  const units = new TableUnits()
  for (const [i, { tableName, bytes }] of written.entries()) {
    const table = findTable(engine, tableName)
    units.add(table, { table: readUnits(bytes, 'transactional'), indexes: undefined }, names[i])
  }
  return units
}

const nameIn = ({ ConditionCheck, Put, Delete, Update }: TransactWriteItem) =>
  (ConditionCheck ?? Put ?? Delete ?? Update)!.TableName

function answer(
  request: TransactWriteItemsRequest,
  units: TableUnits,
  writes: readonly PlannedWrite[],
  direction: 'read' | 'write',
): TransactWriteItemsAnswer {
  const result: TransactWriteItemsAnswer = {}
  const consumed = units.consumed(request.ReturnConsumedCapacity, direction)
  if (consumed) result.ConsumedCapacity = consumed
  const metrics = collectionMetrics(request.ReturnItemCollectionMetrics, writes)
  if (metrics) result.ItemCollectionMetrics = metrics
  return result
}
