import type {
  AttributeDefinition,
  GlobalSecondaryIndex,
  KeySchemaElement,
  LocalSecondaryIndex,
  VectorIndex,
} from './indexes.js'
import type {
  GlobalTableSettingsReplicationMode,
  SSEType,
  StreamSpecification,
  TableClass,
  TableDescription,
} from './table-description.js'
import type { BillingMode, OnDemandThroughput, ProvisionedThroughput, WarmThroughput } from './throughput.js'

export interface SSESpecification {
  Enabled?: boolean | undefined
  SSEType?: SSEType | undefined
  KMSMasterKeyId?: string | undefined
}

export interface Tag {
  Key: string
  Value: string
}

export interface CreateTableInput {
  TableName: string
  /** Required, except for a replica of another table (GlobalTableSourceArn). */
  AttributeDefinitions: AttributeDefinition[] | undefined
  /** Required, except for a replica of another table (GlobalTableSourceArn). */
  KeySchema: KeySchemaElement[] | undefined
  LocalSecondaryIndexes?: LocalSecondaryIndex[] | undefined
  GlobalSecondaryIndexes?: GlobalSecondaryIndex[] | undefined
  VectorIndexes?: VectorIndex[] | undefined
  BillingMode?: BillingMode | undefined
  ProvisionedThroughput?: ProvisionedThroughput | undefined
  StreamSpecification?: StreamSpecification | undefined
  SSESpecification?: SSESpecification | undefined
  Tags?: Tag[] | undefined
  TableClass?: TableClass | undefined
  DeletionProtectionEnabled?: boolean | undefined
  WarmThroughput?: WarmThroughput | undefined
  ResourcePolicy?: string | undefined
  OnDemandThroughput?: OnDemandThroughput | undefined
  GlobalTableSourceArn?: string | undefined
  GlobalTableSettingsReplicationMode?: GlobalTableSettingsReplicationMode | undefined
}

export interface CreateTableOutput {
  TableDescription?: TableDescription | undefined
}

export interface DescribeTableInput {
  TableName: string
}

export interface DescribeTableOutput {
  Table?: TableDescription | undefined
}

export interface DeleteTableInput {
  TableName: string
}

export interface DeleteTableOutput {
  TableDescription?: TableDescription | undefined
}

export interface ListTablesInput {
  ExclusiveStartTableName?: string | undefined
  Limit?: number | undefined
}

export interface ListTablesOutput {
  TableNames?: string[] | undefined
  LastEvaluatedTableName?: string | undefined
}
