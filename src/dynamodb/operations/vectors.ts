import type { AttributeValue, Item } from '../attribute-value.js'
import type { ReturnConsumedCapacity, VectorCapacity } from './capacity.js'
import type { ExpressionAttributes } from './conditions.js'

export interface SearchVectorsInput extends ExpressionAttributes {
  TableName: string
  IndexName: string
  ReturnConsumedCapacity?: ReturnConsumedCapacity | undefined
  ProjectionExpression?: string | undefined
  /** One number for each dimension. Items store a vector as a list instead. */
  SearchVector: AttributeValue[]
  SearchConditionExpression?: string | undefined
  /** The maximum number of items to return. */
  TopK: number
}

export interface SearchResultItem {
  Item?: Item | undefined
  Score?: number | undefined
}

export interface SearchVectorsOutput {
  ConsumedCapacity?: VectorCapacity | undefined
  /** The items, nearest first. */
  SearchResults?: SearchResultItem[] | undefined
}
