import { readUnits } from '../../dynamodb/capacity.js'
import type {
  ItemResponse,
  TransactGetItemsAnswer,
  TransactGetItemsRequest,
} from '../../dynamodb/operations/transactions.js'
import { TableUnits } from '../capacity/consumed.js'
import type { Engine } from '../engine.js'
import { locateKey, type Place } from '../items/action.js'
import { admitTogether, countRead } from '../items/perform.js'
import { answerItem } from '../items/read.js'
import { checkTargets, Outcomes } from '../transactions/cancellation.js'
import { checkReadBytes, type ReadTransactGet, readTransactGetItems } from './transact-get-items.validation.js'

export function transactGetItems(engine: Engine, request: TransactGetItemsRequest): TransactGetItemsAnswer {
  const reads = readTransactGetItems(engine, request)
  const located = locateAll(engine, reads)
  checkReadBytes(located.map(({ before }) => before?.sizeBytes ?? 0))
  const units = new TableUnits()
  const Responses = located.map((place, i): ItemResponse => {
    const spent = readUnits(place.before?.sizeBytes ?? 0, 'transactional')
    countRead(engine, place, spent)
    units.add(place.table, { table: spent, indexes: undefined }, reads[i]!.tableName)
    return respond(place.before, reads[i]!)
  })
  const answer: TransactGetItemsAnswer = { Responses }
  const consumed = units.consumed(request.ReturnConsumedCapacity, 'read')
  if (consumed) answer.ConsumedCapacity = consumed
  return answer
}

/** Unlike GetItem, it leaves out an item of which the projection found nothing. */
function respond(before: Place['before'], { projection }: ReadTransactGet): ItemResponse {
  if (!before) return {}
  const Item = answerItem(before, projection)
  for (const _ in Item) return { Item }
  return {}
}

function locateAll(engine: Engine, reads: readonly ReadTransactGet[]): Place[] {
  const outcomes = new Outcomes(reads.length, 'reads')
  const places = reads.map(({ tableName, key, projection }, i) =>
    outcomes.attempt(i, () => admitTogether(engine, locateKey(engine, tableName, key, projection))),
  )
  outcomes.cancelIfAny()
  checkTargets(places)
  return places as Place[]
}
