import { readUnits } from '../../dynamodb/capacity.js'
import type { TransactWriteItemsAnswer, TransactWriteItemsRequest } from '../../dynamodb/operations/transactions.js'
import { TableUnits } from '../capacity/consumed.js'
import type { Engine } from '../engine.js'
import { EmptyKeyError, ServiceError } from '../errors.js'
import { type Action, carryOut, type PlannedWrite, transactional } from '../items/action.js'
import { failureReason, NO_REASON, transactionCancelled } from '../transactions/cancellation.js'
import { collectionMetrics } from './batch-write-item.js'
import { checkTargets, readTransactWriteItems } from './transact-write-items.validation.js'

export function transactWriteItems(
  engine: Engine,
  request: TransactWriteItemsRequest,
): TransactWriteItemsAnswer | Promise<TransactWriteItemsAnswer> {
  const actions = readTransactWriteItems(request)
  return engine.keyValues.write(() => {
    const repeated = engine.tokens.repeated(request, engine.now())
    if (repeated) return answer(request, readAgain(repeated), repeated, 'read')
    checkTargets(engine, actions)
    const writes = planAll(engine, actions)
    const units = new TableUnits()
    for (const write of writes) units.add(write.table, transactional(carryOut(write)))
    engine.tokens.remember(request, writes, engine.now())
    return answer(request, units, writes, 'write')
  })
}

/** Plans every action, also after one failed, so that the cancellation has a reason for each. */
function planAll(engine: Engine, actions: readonly Action[]): PlannedWrite[] {
  let failed = false
  const writes: PlannedWrite[] = []
  const reasons = actions.map(action => {
    try {
      writes.push(action.plan(engine))
      return NO_REASON
    } catch (error) {
      if (!(error instanceof ServiceError) || error instanceof EmptyKeyError) throw error
      failed = true
      return failureReason(error)
    }
  })
  if (failed) throw transactionCancelled(reasons)
  return writes
}

/** Sending a transaction again under its token costs reads of what it wrote. */
function readAgain(writes: readonly PlannedWrite[]): TableUnits {
  const units = new TableUnits()
  for (const { table, before, after } of writes) {
    const bytes = Math.max(before?.sizeBytes ?? 0, after?.sizeBytes ?? 0)
    units.add(table, { table: readUnits(bytes, 'transactional'), indexes: undefined })
  }
  return units
}

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
