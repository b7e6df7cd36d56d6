import { countReadUnits } from '../../../dynamodb/capacity.js'
import type { ItemResponse, TransactGetItemsInput, TransactGetItemsOutput } from '../../../dynamodb/operation-types.js'
import { TableUnits } from '../../capacity/consumed-capacity.js'
import type { Engine } from '../../engine.js'
import { toOutputItem } from '../../items/output-item.js'
import { admitTransactionRead, countRead } from '../../items/run-action.js'
import { type ItemLocation, locateKey } from '../../items/write-action.js'
import { checkDistinctItems, TransactionOutcomes } from '../../transactions/transaction-outcomes.js'
import {
  checkTransactionReadSize,
  readTransactGetItems,
  type TransactGetRead,
} from './transact-get-items.validation.js'

export function transactGetItems(engine: Engine, request: TransactGetItemsInput): TransactGetItemsOutput {
  const reads = readTransactGetItems(engine, request)
  const located = locateReads(engine, reads)
  checkTransactionReadSize(located.map(({ before }) => before?.sizeBytes ?? 0))
  const units = new TableUnits()
  const Responses = located.map((place, i): ItemResponse => {
    const spent = countReadUnits(place.before?.sizeBytes ?? 0, 'transactional')
    countRead(engine, place, spent)
    units.add(place.table, { table: spent, indexes: undefined }, reads[i]!.tableName)
    return toItemResponse(place.before, reads[i]!)
  })
  const answer: TransactGetItemsOutput = { Responses }
  const consumed = units.toConsumedCapacities(request.ReturnConsumedCapacity, 'read')
  if (consumed) answer.ConsumedCapacity = consumed
  return answer
}

/** Unlike GetItem, the response omits an item if the projection selects nothing. */
function toItemResponse(before: ItemLocation['before'], { projection }: TransactGetRead): ItemResponse {
  if (!before) return {}
  const Item = toOutputItem(before, projection)
  for (const _ in Item) return { Item }
  return {}
}

function locateReads(engine: Engine, reads: readonly TransactGetRead[]): ItemLocation[] {
  const outcomes = new TransactionOutcomes(reads.length, 'reads')
  const places = reads.map(({ tableName, key, projection }, i) =>
    outcomes.attempt(i, () => admitTransactionRead(engine, locateKey(engine, tableName, key, projection))),
  )
  outcomes.throwIfAnyFailed()
  checkDistinctItems(places)
  return places as ItemLocation[]
}
