import type { KeyAttributeType } from '../attribute-value.js'
import type {
  OnDemandThroughput,
  ProvisionedThroughput,
  ProvisionedThroughputDescription,
  WarmThroughput,
} from './throughput.js'

export type KeyType = 'HASH' | 'RANGE'
export type ProjectionType = 'ALL' | 'KEYS_ONLY' | 'INCLUDE'
export type IndexStatus = 'CREATING' | 'UPDATING' | 'DELETING' | 'ACTIVE'

/**
 * Used in requests and in responses, so its members may be undefined like those of the AWS SDK; a request requires
 * both.
 */
export interface AttributeDefinition {
  AttributeName: string | undefined
  AttributeType: KeyAttributeType | undefined
}

/**
 * Used in requests and in responses, like AttributeDefinition. A global index may have up to four elements of each key
 * type.
 */
export interface KeySchemaElement {
  AttributeName: string | undefined
  KeyType: KeyType | undefined
}

export interface Projection {
  ProjectionType?: ProjectionType | undefined
  NonKeyAttributes?: string[] | undefined
}

export interface LocalSecondaryIndex {
  IndexName: string
  KeySchema: KeySchemaElement[]
  Projection: Projection
}

export interface GlobalSecondaryIndex extends LocalSecondaryIndex {
  ProvisionedThroughput?: ProvisionedThroughput | undefined
  OnDemandThroughput?: OnDemandThroughput | undefined
  WarmThroughput?: WarmThroughput | undefined
}

export interface LocalSecondaryIndexDescription {
  IndexName?: string | undefined
  KeySchema?: KeySchemaElement[] | undefined
  Projection?: Projection | undefined
  IndexSizeBytes?: number | undefined
  ItemCount?: number | undefined
  IndexArn?: string | undefined
}

export interface GlobalSecondaryIndexWarmThroughputDescription extends WarmThroughput {
  Status?: IndexStatus | undefined
}

export interface GlobalSecondaryIndexDescription extends LocalSecondaryIndexDescription {
  IndexStatus?: IndexStatus | undefined
  Backfilling?: boolean | undefined
  ProvisionedThroughput?: ProvisionedThroughputDescription | undefined
  OnDemandThroughput?: OnDemandThroughput | undefined
  WarmThroughput?: GlobalSecondaryIndexWarmThroughputDescription | undefined
}

export type VectorDistanceFunction = 'COSINE' | 'DOT_PRODUCT' | 'EUCLIDEAN'

export interface VectorAttributeDefinition {
  AttributeName: string | undefined
}

export interface SearchSchemaElement {
  AttributeName: string | undefined
  SearchSchemaElementType: 'HASH' | 'INLINE_FILTER' | undefined
}

export interface VectorIndex {
  IndexName: string
  VectorAttribute: VectorAttributeDefinition
  SearchSchema?: SearchSchemaElement[] | undefined
  Projection: Projection
  Dimensions: number
  DistanceFunction: VectorDistanceFunction
}

export interface VectorIndexDescription {
  IndexName?: string | undefined
  VectorAttribute?: VectorAttributeDefinition | undefined
  SearchSchema?: SearchSchemaElement[] | undefined
  Projection?: Projection | undefined
  Dimensions?: number | undefined
  DistanceFunction?: VectorDistanceFunction | undefined
  IndexStatus?: IndexStatus | undefined
  Backfilling?: boolean | undefined
  IndexSizeBytes?: number | undefined
  ItemCount?: number | undefined
  IndexArn?: string | undefined
}
