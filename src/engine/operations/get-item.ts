import { readUnits } from '../../dynamodb/capacity.js'
import type { GetItemAnswer, GetItemRequest } from '../../dynamodb/operations/items.js'
import { consumedCapacity } from '../capacity/consumed.js'
import type { Engine } from '../engine.js'
import { locateKey } from '../items/action.js'
import { admitRead, countRead } from '../items/perform.js'
import { answerItem } from '../items/read.js'
import { readGetItem } from './get-item.validation.js'

export function getItem(engine: Engine, request: GetItemRequest): GetItemAnswer {
  const { key, projection } = readGetItem(engine, request)
  const place = locateKey(engine, request.TableName, key, projection)
  admitRead(engine, place)
  const { before: found } = place
  const answer: GetItemAnswer = {}
  if (found) answer.Item = answerItem(found, projection)
  if (request.ReturnConsumedCapacity !== undefined || engine.traffic) {
    const units = readUnits(found?.sizeBytes ?? 0, request.ConsistentRead ? 'strong' : 'eventual')
    countRead(engine, place, units)
    const spent = { table: units, indexes: undefined }
    const consumed = consumedCapacity(request.ReturnConsumedCapacity, request.TableName, spent)
    if (consumed) answer.ConsumedCapacity = consumed
  }
  return answer
}
