import type { AttributeValue } from '../attribute-value.js'

export type ComparisonOperator =
  | 'EQ'
  | 'NE'
  | 'LT'
  | 'LE'
  | 'GT'
  | 'GE'
  | 'BETWEEN'
  | 'BEGINS_WITH'
  | 'CONTAINS'
  | 'NOT_CONTAINS'
  | 'IN'
  | 'NULL'
  | 'NOT_NULL'

export type ConditionalOperator = 'AND' | 'OR'

/** A condition on one attribute, in KeyConditions, QueryFilter and ScanFilter. */
export interface Condition {
  AttributeValueList?: AttributeValue[] | undefined
  ComparisonOperator: ComparisonOperator
}

/** A condition on one attribute of the item to write, in Expected. */
export interface ExpectedAttributeValue {
  Value?: AttributeValue | undefined
  Exists?: boolean | undefined
  ComparisonOperator?: ComparisonOperator | undefined
  AttributeValueList?: AttributeValue[] | undefined
}

export type AttributeAction = 'PUT' | 'ADD' | 'DELETE'

export interface AttributeValueUpdate {
  Value?: AttributeValue | undefined
  Action?: AttributeAction | undefined
}

export type ReturnValuesOnConditionCheckFailure = 'ALL_OLD' | 'NONE'

/** The names and values that every expression may refer to. */
export interface ExpressionAttributes {
  ExpressionAttributeNames?: Record<string, string> | undefined
  ExpressionAttributeValues?: Record<string, AttributeValue> | undefined
}
