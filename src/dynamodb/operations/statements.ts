import type { AttributeValue, Item, Key } from '../attribute-value.js'
import type { ConsumedCapacity, ReturnConsumedCapacity } from './capacity.js'
import type { ReturnValuesOnConditionCheckFailure } from './conditions.js'
import type { ItemResponse } from './transactions.js'

/** A statement of PartiQL, with a value for each of its question marks. */
export interface ParameterizedStatement {
  Statement: string
  Parameters?: AttributeValue[] | undefined
  ReturnValuesOnConditionCheckFailure?: ReturnValuesOnConditionCheckFailure | undefined
}

export interface ExecuteStatementInput extends ParameterizedStatement {
  ConsistentRead?: boolean | undefined
  NextToken?: string | undefined
  ReturnConsumedCapacity?: ReturnConsumedCapacity | undefined
  Limit?: number | undefined
}

export interface ExecuteStatementOutput {
  Items?: Item[] | undefined
  NextToken?: string | undefined
  ConsumedCapacity?: ConsumedCapacity | undefined
  LastEvaluatedKey?: Key | undefined
}

export interface BatchStatementRequest extends ParameterizedStatement {
  ConsistentRead?: boolean | undefined
}

export interface BatchExecuteStatementInput {
  Statements: BatchStatementRequest[]
  ReturnConsumedCapacity?: ReturnConsumedCapacity | undefined
}

export type BatchStatementErrorCode =
  | 'AccessDenied'
  | 'ConditionalCheckFailed'
  | 'DuplicateItem'
  | 'InternalServerError'
  | 'ItemCollectionSizeLimitExceeded'
  | 'ProvisionedThroughputExceeded'
  | 'RequestLimitExceeded'
  | 'ResourceNotFound'
  | 'ThrottlingError'
  | 'TransactionConflict'
  | 'ValidationError'

export interface BatchStatementError {
  Code?: BatchStatementErrorCode | undefined
  Message?: string | undefined
  Item?: Item | undefined
}

/** The result of one statement of a batch. */
export interface BatchStatementResponse {
  Error?: BatchStatementError | undefined
  TableName?: string | undefined
  Item?: Item | undefined
}

export interface BatchExecuteStatementOutput {
  Responses?: BatchStatementResponse[] | undefined
  ConsumedCapacity?: ConsumedCapacity[] | undefined
}

export interface ExecuteTransactionInput {
  TransactStatements: ParameterizedStatement[]
  ClientRequestToken?: string | undefined
  ReturnConsumedCapacity?: ReturnConsumedCapacity | undefined
}

export interface ExecuteTransactionOutput {
  Responses?: ItemResponse[] | undefined
  ConsumedCapacity?: ConsumedCapacity[] | undefined
}
