import { readUnits } from '../../dynamodb/capacity.js'
import type {
  ItemResponse,
  TransactGetItemsAnswer,
  TransactGetItemsRequest,
} from '../../dynamodb/operations/transactions.js'
import { TableUnits } from '../capacity/consumed.js'
import type { Engine } from '../engine.js'
import { ServiceError, validation } from '../errors.js'
import { locate } from '../items/action.js'
import { answerItem } from '../items/read.js'
import { failureReason, NO_REASON, transactionCancelled } from '../transactions/cancellation.js'
import { checkReadBytes, type ReadTransactGet, readTransactGetItems } from './transact-get-items.validation.js'

type Located = ReturnType<typeof locate>

export function transactGetItems(engine: Engine, request: TransactGetItemsRequest): TransactGetItemsAnswer {
  const reads = readTransactGetItems(request)
  const located = locateAll(engine, reads)
  checkReadBytes(located.map(({ before }) => before?.sizeBytes ?? 0))
  const units = new TableUnits()
  const Responses = located.map(({ table, before }, i): ItemResponse => {
    units.add(table, { table: readUnits(before?.sizeBytes ?? 0, 'transactional'), indexes: undefined })
    return before ? { Item: answerItem(before, reads[i]!.projection) } : {}
  })
  const answer: TransactGetItemsAnswer = { Responses }
  const consumed = units.consumed(request.ReturnConsumedCapacity, 'read')
  if (consumed) answer.ConsumedCapacity = consumed
  return answer
}

function locateAll(engine: Engine, reads: readonly ReadTransactGet[]): Located[] {
  let failed = false
  const located: Located[] = []
  const reasons = reads.map(({ tableName, key }) => {
    try {
      located.push(locate(engine, tableName, key))
      return NO_REASON
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      failed = true
      return failureReason(error)
    }
  })
  if (failed) throw transactionCancelled(reasons)
  const targets = new Set(located.map(({ table, key }) => `${table.name}/${key}`))
  if (targets.size < located.length)
    throw validation('Transaction request cannot include multiple operations on one item')
  return located
}
