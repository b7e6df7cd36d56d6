import type { Item, Key } from '../attribute-value.js'
import type {
  ConsumedCapacity,
  ItemCollectionMetrics,
  ReturnConsumedCapacity,
  ReturnItemCollectionMetrics,
} from './capacity.js'

/** `Keys` may be undefined because the AWS SDK returns this shape too, as UnprocessedKeys; a request requires it. */
export interface KeysAndAttributes {
  Keys: Key[] | undefined
  AttributesToGet?: string[] | undefined
  ConsistentRead?: boolean | undefined
  ProjectionExpression?: string | undefined
  ExpressionAttributeNames?: Record<string, string> | undefined
}

export interface BatchGetItemInput {
  RequestItems: Record<string, KeysAndAttributes>
  ReturnConsumedCapacity?: ReturnConsumedCapacity | undefined
}

export interface BatchGetItemOutput {
  Responses?: Record<string, Item[]> | undefined
  UnprocessedKeys?: Record<string, KeysAndAttributes> | undefined
  ConsumedCapacity?: ConsumedCapacity[] | undefined
}

/** `Item` may be undefined because the AWS SDK returns this shape too, as UnprocessedItems; a request requires it. */
export interface PutRequest {
  Item: Item | undefined
}

/** `Key` may be undefined for the same reason as the item of a PutRequest. */
export interface DeleteRequest {
  Key: Key | undefined
}

/** A write request has exactly one of the two members. */
export interface WriteRequest {
  PutRequest?: PutRequest | undefined
  DeleteRequest?: DeleteRequest | undefined
}

export interface BatchWriteItemInput {
  RequestItems: Record<string, WriteRequest[]>
  ReturnConsumedCapacity?: ReturnConsumedCapacity | undefined
  ReturnItemCollectionMetrics?: ReturnItemCollectionMetrics | undefined
}

export interface BatchWriteItemOutput {
  UnprocessedItems?: Record<string, WriteRequest[]> | undefined
  ItemCollectionMetrics?: Record<string, ItemCollectionMetrics[]> | undefined
  ConsumedCapacity?: ConsumedCapacity[] | undefined
}
