import type { Item, Key } from '../attribute-value.js'
import type {
  ConsumedCapacity,
  ItemCollectionMetrics,
  ReturnConsumedCapacity,
  ReturnItemCollectionMetrics,
} from './capacity.js'
import type {
  AttributeValueUpdate,
  ConditionalOperator,
  ExpectedAttributeValue,
  ExpressionAttributes,
  ReturnValuesOnConditionCheckFailure,
} from './conditions.js'

export type ReturnValue = 'NONE' | 'ALL_OLD' | 'UPDATED_OLD' | 'ALL_NEW' | 'UPDATED_NEW'

export interface GetItemInput {
  TableName: string
  Key: Key
  AttributesToGet?: string[] | undefined
  ConsistentRead?: boolean | undefined
  ReturnConsumedCapacity?: ReturnConsumedCapacity | undefined
  ProjectionExpression?: string | undefined
  ExpressionAttributeNames?: Record<string, string> | undefined
}

export interface GetItemOutput {
  Item?: Item | undefined
  ConsumedCapacity?: ConsumedCapacity | undefined
}

/** The common members of PutItem, UpdateItem and DeleteItem. */
interface WriteItemInput extends ExpressionAttributes {
  TableName: string
  Expected?: Record<string, ExpectedAttributeValue> | undefined
  ConditionalOperator?: ConditionalOperator | undefined
  ReturnValues?: ReturnValue | undefined
  ReturnConsumedCapacity?: ReturnConsumedCapacity | undefined
  ReturnItemCollectionMetrics?: ReturnItemCollectionMetrics | undefined
  ConditionExpression?: string | undefined
  ReturnValuesOnConditionCheckFailure?: ReturnValuesOnConditionCheckFailure | undefined
}

interface WriteItemOutput {
  Attributes?: Item | undefined
  ConsumedCapacity?: ConsumedCapacity | undefined
  ItemCollectionMetrics?: ItemCollectionMetrics | undefined
}

export interface PutItemInput extends WriteItemInput {
  Item: Item
}

export interface UpdateItemInput extends WriteItemInput {
  Key: Key
  AttributeUpdates?: Record<string, AttributeValueUpdate> | undefined
  UpdateExpression?: string | undefined
}

export interface DeleteItemInput extends WriteItemInput {
  Key: Key
}

export interface PutItemOutput extends WriteItemOutput {}
export interface UpdateItemOutput extends WriteItemOutput {}
export interface DeleteItemOutput extends WriteItemOutput {}
