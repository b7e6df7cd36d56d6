import type { Item } from '../../dynamodb/attribute-value.js'
import type { ReturnConsumedCapacity, ReturnItemCollectionMetrics } from '../../dynamodb/operations/capacity.js'
import type { PutItemAnswer } from '../../dynamodb/operations/items.js'
import { consumedCapacity, type Units } from '../capacity/consumed.js'
import type { PlannedWrite } from './action.js'
import { itemCollectionMetrics } from './metrics.js'

interface WriteRequest {
  TableName: string
  ReturnConsumedCapacity?: ReturnConsumedCapacity | undefined
  ReturnItemCollectionMetrics?: ReturnItemCollectionMetrics | undefined
}

/** The answer of the three single writes; members that were not asked for are absent. */
export function answerWrite(
  request: WriteRequest,
  write: PlannedWrite,
  units: Units,
  attributes: Item | undefined,
): PutItemAnswer {
  const answer: PutItemAnswer = {}
  if (attributes !== undefined) answer.Attributes = attributes
  const consumed = consumedCapacity(request.ReturnConsumedCapacity, request.TableName, units)
  if (consumed) answer.ConsumedCapacity = consumed
  const item = write.after ?? write.before
  const metrics = item && itemCollectionMetrics(request.ReturnItemCollectionMetrics, write.table, item)
  if (metrics) answer.ItemCollectionMetrics = metrics
  return answer
}
