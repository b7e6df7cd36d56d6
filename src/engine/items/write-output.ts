import type { Item } from '../../dynamodb/attribute-value.js'
import type {
  PutItemOutput,
  ReturnConsumedCapacity,
  ReturnItemCollectionMetrics,
} from '../../dynamodb/operation-types.js'
import { type OperationUnits, toConsumedCapacity } from '../capacity/consumed-capacity.js'
import { measureItemCollection } from './collection-metrics.js'
import type { PlannedWrite } from './write-action.js'

interface WriteRequest {
  TableName: string
  ReturnConsumedCapacity?: ReturnConsumedCapacity | undefined
  ReturnItemCollectionMetrics?: ReturnItemCollectionMetrics | undefined
}

/** Returns the output of a single put, update or delete. Members that were not requested are absent. */
export function toWriteOutput(
  request: WriteRequest,
  write: PlannedWrite,
  units: OperationUnits,
  attributes: Item | undefined,
): PutItemOutput {
  const output: PutItemOutput = {}
  if (attributes !== undefined) output.Attributes = attributes
  const consumed = toConsumedCapacity(request.ReturnConsumedCapacity, request.TableName, units)
  if (consumed) output.ConsumedCapacity = consumed
  const item = write.after ?? write.before
  const metrics = item && measureItemCollection(request.ReturnItemCollectionMetrics, write.table, item)
  if (metrics) output.ItemCollectionMetrics = metrics
  return output
}
