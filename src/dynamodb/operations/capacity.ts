import type { Key } from '../attribute-value.js'

export type ReturnConsumedCapacity = 'INDEXES' | 'TOTAL' | 'NONE'
export type ReturnItemCollectionMetrics = 'SIZE' | 'NONE'

export interface Capacity {
  ReadCapacityUnits?: number | undefined
  WriteCapacityUnits?: number | undefined
  CapacityUnits?: number | undefined
}

export interface VectorCapacity {
  VectorSearchRequestBytes?: number | undefined
  VectorWriteRequestBytes?: number | undefined
}

export interface ConsumedCapacity {
  TableName?: string | undefined
  CapacityUnits?: number | undefined
  ReadCapacityUnits?: number | undefined
  WriteCapacityUnits?: number | undefined
  Table?: Capacity | undefined
  LocalSecondaryIndexes?: Record<string, Capacity> | undefined
  GlobalSecondaryIndexes?: Record<string, Capacity> | undefined
  VectorIndexes?: Record<string, VectorCapacity> | undefined
}

export interface ItemCollectionMetrics {
  ItemCollectionKey?: Key | undefined
  SizeEstimateRangeGB?: number[] | undefined
}
