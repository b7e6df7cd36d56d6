import type { AttributeValue, Item } from '../attribute-value.js'
import type { ReturnConsumedCapacity, VectorCapacity } from './capacity.js'
import type { ExpressionAttributes } from './conditions.js'

export interface SearchVectorsInput extends ExpressionAttributes {
  TableName: string
  IndexName: string
  ReturnConsumedCapacity?: ReturnConsumedCapacity | undefined
  ProjectionExpression?: string | undefined
  /** Numbers, one for each dimension; not in a list, as an item has them. */
  SearchVector: AttributeValue[]
  SearchConditionExpression?: string | undefined
  /** How many items to answer at the most. */
  TopK: number
}

export interface SearchResultItem {
  Item?: Item | undefined
  Score?: number | undefined
}

export interface SearchVectorsOutput {
  ConsumedCapacity?: VectorCapacity | undefined
  /** The nearest first. */
  SearchResults?: SearchResultItem[] | undefined
}
