import { countReadUnits } from '../../../dynamodb/capacity.js'
import type { GetItemInput, GetItemOutput } from '../../../dynamodb/operation-types.js'
import { toConsumedCapacity } from '../../capacity/consumed-capacity.js'
import type { Engine } from '../../engine.js'
import { toOutputItem } from '../../items/output-item.js'
import { admitRead, countRead } from '../../items/run-action.js'
import { locateKey } from '../../items/write-action.js'
import { readGetItem } from './get-item.validation.js'

export function getItem(engine: Engine, request: GetItemInput): GetItemOutput {
  const { key, projection } = readGetItem(engine, request)
  const place = locateKey(engine, request.TableName, key, projection)
  admitRead(engine, place)
  const { before: found } = place
  const answer: GetItemOutput = {}
  if (found) answer.Item = toOutputItem(found, projection)
  if (request.ReturnConsumedCapacity !== undefined || engine.traffic) {
    const units = countReadUnits(found?.sizeBytes ?? 0, request.ConsistentRead ? 'strong' : 'eventual')
    countRead(engine, place, units)
    const spent = { table: units, indexes: undefined }
    const consumed = toConsumedCapacity(request.ReturnConsumedCapacity, request.TableName, spent)
    if (consumed) answer.ConsumedCapacity = consumed
  }
  return answer
}
