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

export interface TransactGetItemsRequest {
  TransactItems: TransactGetItem[]
  ReturnConsumedCapacity?: ReturnConsumedCapacity | undefined
}

export interface ItemResponse {
  Item?: Item | undefined
}

export interface TransactGetItemsAnswer {
  Responses?: ItemResponse[] | undefined
  ConsumedCapacity?: ConsumedCapacity[] | undefined
}

/** What the four parts of a writing transaction have in common. */
interface TransactPart extends ExpressionAttributes {
  TableName: string
  ReturnValuesOnConditionCheckFailure?: ReturnValuesOnConditionCheckFailure | undefined
}

export interface ConditionCheck extends TransactPart {
  Key: Key
  ConditionExpression: string
}

export interface Put extends TransactPart {
  Item: Item
  ConditionExpression?: string | undefined
}

export interface Update extends TransactPart {
  Key: Key
  UpdateExpression: string
  ConditionExpression?: string | undefined
}

export interface Delete extends TransactPart {
  Key: Key
  ConditionExpression?: string | undefined
}

/** Exactly one of the four. */
export interface TransactWriteItem {
  ConditionCheck?: ConditionCheck | undefined
  Put?: Put | undefined
  Update?: Update | undefined
  Delete?: Delete | undefined
}

export interface TransactWriteItemsRequest {
  TransactItems: TransactWriteItem[]
  ReturnConsumedCapacity?: ReturnConsumedCapacity | undefined
  ReturnItemCollectionMetrics?: ReturnItemCollectionMetrics | undefined
  ClientRequestToken?: string | undefined
}

export interface TransactWriteItemsAnswer {
  ConsumedCapacity?: ConsumedCapacity[] | undefined
  ItemCollectionMetrics?: Record<string, ItemCollectionMetrics[]> | undefined
}
