import type {
  GlobalSecondaryIndex,
  KeySchemaElement,
  LocalSecondaryIndex,
  Projection,
  VectorIndex,
  VectorIndexDescription,
} from './indexes.js'
import type { SSEDescription, StreamSpecification, TableDescription } from './table-description.js'
import type { SSESpecification } from './tables.js'
import type {
  BillingMode,
  OnDemandThroughput,
  ProvisionedThroughput,
  ProvisionedThroughputDescription,
} from './throughput.js'
import type { TimeToLiveDescription } from './time-to-live.js'

export type BackupStatus = 'CREATING' | 'DELETED' | 'AVAILABLE'
export type BackupType = 'USER' | 'SYSTEM' | 'AWS_BACKUP'

export interface BackupDetails {
  BackupArn: string | undefined
  BackupName: string | undefined
  BackupSizeBytes?: number | undefined
  BackupStatus: BackupStatus | undefined
  BackupType: BackupType | undefined
  BackupCreationDateTime: Date | undefined
  BackupExpiryDateTime?: Date | undefined
}

/** The provisioned capacity; absent for on-demand tables. */
export type SourceThroughput = Pick<ProvisionedThroughputDescription, 'ReadCapacityUnits' | 'WriteCapacityUnits'>

export interface SourceTableDetails {
  TableName: string | undefined
  TableId: string | undefined
  TableArn?: string | undefined
  TableSizeBytes?: number | undefined
  KeySchema: KeySchemaElement[] | undefined
  TableCreationDateTime: Date | undefined
  ProvisionedThroughput: SourceThroughput | undefined
  OnDemandThroughput?: OnDemandThroughput | undefined
  ItemCount?: number | undefined
  BillingMode?: BillingMode | undefined
}

export interface LocalSecondaryIndexInfo {
  IndexName?: string | undefined
  KeySchema?: KeySchemaElement[] | undefined
  Projection?: Projection | undefined
}

export interface GlobalSecondaryIndexInfo extends LocalSecondaryIndexInfo {
  ProvisionedThroughput?: SourceThroughput | undefined
  OnDemandThroughput?: OnDemandThroughput | undefined
}

export type VectorIndexInfo = Pick<
  VectorIndexDescription,
  'IndexName' | 'VectorAttribute' | 'SearchSchema' | 'Projection' | 'Dimensions' | 'DistanceFunction'
>

export interface SourceTableFeatureDetails {
  LocalSecondaryIndexes?: LocalSecondaryIndexInfo[] | undefined
  GlobalSecondaryIndexes?: GlobalSecondaryIndexInfo[] | undefined
  StreamDescription?: StreamSpecification | undefined
  TimeToLiveDescription?: TimeToLiveDescription | undefined
  SSEDescription?: SSEDescription | undefined
  VectorIndexes?: VectorIndexInfo[] | undefined
}

export interface BackupDescription {
  BackupDetails?: BackupDetails | undefined
  SourceTableDetails?: SourceTableDetails | undefined
  SourceTableFeatureDetails?: SourceTableFeatureDetails | undefined
}

export interface BackupSummary extends Partial<BackupDetails> {
  TableName?: string | undefined
  TableId?: string | undefined
  TableArn?: string | undefined
}

export interface CreateBackupInput {
  TableName: string
  BackupName: string
}

export interface CreateBackupOutput {
  BackupDetails?: BackupDetails | undefined
}

export interface DescribeBackupInput {
  BackupArn: string
}

export interface DescribeBackupOutput {
  BackupDescription?: BackupDescription | undefined
}

export interface DeleteBackupInput {
  BackupArn: string
}

export interface DeleteBackupOutput {
  BackupDescription?: BackupDescription | undefined
}

export interface ListBackupsInput {
  TableName?: string | undefined
  Limit?: number | undefined
  /** Inclusive. */
  TimeRangeLowerBound?: Date | undefined
  /** Exclusive. */
  TimeRangeUpperBound?: Date | undefined
  ExclusiveStartBackupArn?: string | undefined
  BackupType?: BackupType | 'ALL' | undefined
}

export interface ListBackupsOutput {
  BackupSummaries?: BackupSummary[] | undefined
  LastEvaluatedBackupArn?: string | undefined
}

/** The settings in which a restored table differs from its source. */
export interface RestoreOverrides {
  BillingModeOverride?: BillingMode | undefined
  GlobalSecondaryIndexOverride?: GlobalSecondaryIndex[] | undefined
  LocalSecondaryIndexOverride?: LocalSecondaryIndex[] | undefined
  ProvisionedThroughputOverride?: ProvisionedThroughput | undefined
  OnDemandThroughputOverride?: OnDemandThroughput | undefined
  SSESpecificationOverride?: SSESpecification | undefined
  VectorIndexOverride?: VectorIndex[] | undefined
}

export interface RestoreTableFromBackupInput extends RestoreOverrides {
  TargetTableName: string
  BackupArn: string
}

export interface RestoreTableFromBackupOutput {
  TableDescription?: TableDescription | undefined
}

export interface RestoreTableToPointInTimeInput extends RestoreOverrides {
  SourceTableArn?: string | undefined
  SourceTableName?: string | undefined
  TargetTableName: string
  UseLatestRestorableTime?: boolean | undefined
  RestoreDateTime?: Date | undefined
}

export interface RestoreTableToPointInTimeOutput {
  TableDescription?: TableDescription | undefined
}
