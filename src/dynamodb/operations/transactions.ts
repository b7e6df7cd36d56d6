import type { Item, Key } from '../attribute-value.js'
import type {
  ConsumedCapacity,
  ItemCollectionMetrics,
  ReturnConsumedCapacity,
  ReturnItemCollectionMetrics,
} from './capacity.js'
import type { ExpressionAttributes, ReturnValuesOnConditionCheckFailure } from './conditions.js'

export interface Get {
  TableName: string
  Key: Key
  ProjectionExpression?: string | undefined
  ExpressionAttributeNames?: Record<string, string> | undefined
}

export interface TransactGetItem {
  Get: Get
}

export interface TransactGetItemsInput {
  TransactItems: TransactGetItem[]
  ReturnConsumedCapacity?: ReturnConsumedCapacity | undefined
}

export interface ItemResponse {
  Item?: Item | undefined
}

export interface TransactGetItemsOutput {
  Responses?: ItemResponse[] | undefined
  ConsumedCapacity?: ConsumedCapacity[] | undefined
}

/** The common members of the four actions of a write transaction. */
interface TransactWriteAction extends ExpressionAttributes {
  TableName: string
  ReturnValuesOnConditionCheckFailure?: ReturnValuesOnConditionCheckFailure | undefined
}

export interface ConditionCheck extends TransactWriteAction {
  Key: Key
  ConditionExpression: string
}

export interface Put extends TransactWriteAction {
  Item: Item
  ConditionExpression?: string | undefined
}

export interface Update extends TransactWriteAction {
  Key: Key
  UpdateExpression: string
  ConditionExpression?: string | undefined
}

export interface Delete extends TransactWriteAction {
  Key: Key
  ConditionExpression?: string | undefined
}

/** An entry has exactly one of the four members. */
export interface TransactWriteItem {
  ConditionCheck?: ConditionCheck | undefined
  Put?: Put | undefined
  Update?: Update | undefined
  Delete?: Delete | undefined
}

export interface TransactWriteItemsInput {
  TransactItems: TransactWriteItem[]
  ReturnConsumedCapacity?: ReturnConsumedCapacity | undefined
  ReturnItemCollectionMetrics?: ReturnItemCollectionMetrics | undefined
  ClientRequestToken?: string | undefined
}

export interface TransactWriteItemsOutput {
  ConsumedCapacity?: ConsumedCapacity[] | undefined
  ItemCollectionMetrics?: Record<string, ItemCollectionMetrics[]> | undefined
}
