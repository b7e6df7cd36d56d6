import type { Item, Key } from '../attribute-value.js'
import type { ConsumedCapacity, ReturnConsumedCapacity } from './capacity.js'
import type { Condition, ConditionalOperator, ExpressionAttributes } from './conditions.js'

export type Select = 'ALL_ATTRIBUTES' | 'ALL_PROJECTED_ATTRIBUTES' | 'SPECIFIC_ATTRIBUTES' | 'COUNT'

/** The common members of Query and Scan. */
interface ReadInput extends ExpressionAttributes {
  TableName: string
  IndexName?: string | undefined
  Select?: Select | undefined
  AttributesToGet?: string[] | undefined
  Limit?: number | undefined
  ConsistentRead?: boolean | undefined
  ConditionalOperator?: ConditionalOperator | undefined
  ExclusiveStartKey?: Key | undefined
  ReturnConsumedCapacity?: ReturnConsumedCapacity | undefined
  ProjectionExpression?: string | undefined
  FilterExpression?: string | undefined
}

interface ReadOutput {
  Items?: Item[] | undefined
  Count?: number | undefined
  ScannedCount?: number | undefined
  LastEvaluatedKey?: Key | undefined
  ConsumedCapacity?: ConsumedCapacity | undefined
}

export interface QueryInput extends ReadInput {
  KeyConditions?: Record<string, Condition> | undefined
  QueryFilter?: Record<string, Condition> | undefined
  ScanIndexForward?: boolean | undefined
  KeyConditionExpression?: string | undefined
}

export interface ScanInput extends ReadInput {
  ScanFilter?: Record<string, Condition> | undefined
  TotalSegments?: number | undefined
  Segment?: number | undefined
}

export interface QueryOutput extends ReadOutput {}
export interface ScanOutput extends ReadOutput {}
