import type {
  AttributeDefinition,
  GlobalSecondaryIndexDescription,
  GlobalSecondaryIndexWarmThroughputDescription,
  KeySchemaElement,
  LocalSecondaryIndexDescription,
  VectorIndexDescription,
} from './indexes.js'
import type {
  BillingMode,
  OnDemandThroughput,
  OnDemandThroughputOverride,
  ProvisionedThroughputDescription,
  ProvisionedThroughputOverride,
  WarmThroughput,
} from './throughput.js'

export type TableStatus =
  | 'CREATING'
  | 'UPDATING'
  | 'DELETING'
  | 'ACTIVE'
  | 'INACCESSIBLE_ENCRYPTION_CREDENTIALS'
  | 'ARCHIVING'
  | 'ARCHIVED'
  | 'REPLICATION_NOT_AUTHORIZED'

export type TableClass = 'STANDARD' | 'STANDARD_INFREQUENT_ACCESS'
export type StreamViewType = 'KEYS_ONLY' | 'NEW_IMAGE' | 'OLD_IMAGE' | 'NEW_AND_OLD_IMAGES'
export type SSEType = 'AES256' | 'KMS'

/**
 * Used in requests and in responses, so `StreamEnabled` may be undefined like that of the AWS SDK; a request requires
 * it.
 */
export interface StreamSpecification {
  StreamEnabled: boolean | undefined
  StreamViewType?: StreamViewType | undefined
}

export interface SSEDescription {
  Status?: 'ENABLING' | 'ENABLED' | 'DISABLING' | 'DISABLED' | 'UPDATING' | undefined
  SSEType?: SSEType | undefined
  KMSMasterKeyArn?: string | undefined
  InaccessibleEncryptionDateTime?: Date | undefined
}

export interface BillingModeSummary {
  BillingMode?: BillingMode | undefined
  LastUpdateToPayPerRequestDateTime?: Date | undefined
}

export interface TableClassSummary {
  TableClass?: TableClass | undefined
  LastUpdateDateTime?: Date | undefined
}

export interface RestoreSummary {
  SourceBackupArn?: string | undefined
  SourceTableArn?: string | undefined
  RestoreDateTime: Date | undefined
  RestoreInProgress: boolean | undefined
}

export interface ArchivalSummary {
  ArchivalDateTime?: Date | undefined
  ArchivalReason?: string | undefined
  ArchivalBackupArn?: string | undefined
}

export interface TableWarmThroughputDescription extends WarmThroughput {
  Status?: TableStatus | undefined
}

export type GlobalTableSettingsReplicationMode = 'ENABLED' | 'DISABLED' | 'ENABLED_WITH_OVERRIDES'

export type ReplicaStatus =
  | 'CREATING'
  | 'CREATION_FAILED'
  | 'UPDATING'
  | 'DELETING'
  | 'ACTIVE'
  | 'REGION_DISABLED'
  | 'INACCESSIBLE_ENCRYPTION_CREDENTIALS'
  | 'ARCHIVING'
  | 'ARCHIVED'
  | 'REPLICATION_NOT_AUTHORIZED'

export interface ReplicaGlobalSecondaryIndexDescription {
  IndexName?: string | undefined
  ProvisionedThroughputOverride?: ProvisionedThroughputOverride | undefined
  OnDemandThroughputOverride?: OnDemandThroughputOverride | undefined
  WarmThroughput?: GlobalSecondaryIndexWarmThroughputDescription | undefined
}

export interface ReplicaDescription {
  RegionName?: string | undefined
  ReplicaStatus?: ReplicaStatus | undefined
  ReplicaArn?: string | undefined
  ReplicaStatusDescription?: string | undefined
  ReplicaStatusPercentProgress?: string | undefined
  KMSMasterKeyId?: string | undefined
  ProvisionedThroughputOverride?: ProvisionedThroughputOverride | undefined
  OnDemandThroughputOverride?: OnDemandThroughputOverride | undefined
  WarmThroughput?: TableWarmThroughputDescription | undefined
  GlobalSecondaryIndexes?: ReplicaGlobalSecondaryIndexDescription[] | undefined
  ReplicaInaccessibleDateTime?: Date | undefined
  ReplicaTableClassSummary?: TableClassSummary | undefined
  GlobalTableSettingsReplicationMode?: GlobalTableSettingsReplicationMode | undefined
}

export interface GlobalTableWitnessDescription {
  RegionName?: string | undefined
  WitnessStatus?: 'CREATING' | 'DELETING' | 'ACTIVE' | undefined
}

export interface TableDescription {
  AttributeDefinitions?: AttributeDefinition[] | undefined
  TableName?: string | undefined
  KeySchema?: KeySchemaElement[] | undefined
  TableStatus?: TableStatus | undefined
  CreationDateTime?: Date | undefined
  ProvisionedThroughput?: ProvisionedThroughputDescription | undefined
  TableSizeBytes?: number | undefined
  ItemCount?: number | undefined
  TableArn?: string | undefined
  TableId?: string | undefined
  BillingModeSummary?: BillingModeSummary | undefined
  LocalSecondaryIndexes?: LocalSecondaryIndexDescription[] | undefined
  GlobalSecondaryIndexes?: GlobalSecondaryIndexDescription[] | undefined
  VectorIndexes?: VectorIndexDescription[] | undefined
  StreamSpecification?: StreamSpecification | undefined
  LatestStreamLabel?: string | undefined
  LatestStreamArn?: string | undefined
  GlobalTableVersion?: string | undefined
  Replicas?: ReplicaDescription[] | undefined
  GlobalTableWitnesses?: GlobalTableWitnessDescription[] | undefined
  GlobalTableSettingsReplicationMode?: GlobalTableSettingsReplicationMode | undefined
  RestoreSummary?: RestoreSummary | undefined
  SSEDescription?: SSEDescription | undefined
  ArchivalSummary?: ArchivalSummary | undefined
  TableClassSummary?: TableClassSummary | undefined
  DeletionProtectionEnabled?: boolean | undefined
  DisassociationProtectionEnabled?: boolean | undefined
  OnDemandThroughput?: OnDemandThroughput | undefined
  WarmThroughput?: TableWarmThroughputDescription | undefined
  MultiRegionConsistency?: 'EVENTUAL' | 'STRONG' | undefined
}
