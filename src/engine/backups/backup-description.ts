import type {
  BackupDescription,
  BackupDetails,
  BackupStatus,
  GlobalSecondaryIndexDescription,
  GlobalSecondaryIndexInfo,
  ProvisionedThroughputDescription,
  SourceTableDetails,
  SourceTableFeatureDetails,
  VectorIndexDescription,
} from '../../dynamodb/operation-types.js'
import type { Engine } from '../engine.js'
import { tableArn } from '../tables/arns.js'
import { type Backup, type BackupSource, isBackupCreating } from './backup.js'
import { backupArn } from './find-backup.js'

export function toBackupDetails(
  engine: Engine,
  backup: Backup,
  status: BackupStatus = isBackupCreating(backup, engine.now()) ? 'CREATING' : 'AVAILABLE',
): BackupDetails {
  return {
    BackupArn: backupArn(engine, backup),
    BackupName: backup.name,
    BackupSizeBytes: backup.source.description.TableSizeBytes,
    BackupStatus: status,
    BackupType: backup.type,
    BackupCreationDateTime: new Date(backup.createdMs),
    ...(backup.expiryMs !== undefined && { BackupExpiryDateTime: new Date(backup.expiryMs) }),
  }
}

/** Describes a backup under the ARN that the request used. */
export function toBackupDescription(
  engine: Engine,
  backup: Backup,
  arn: string,
  status?: BackupStatus,
): BackupDescription {
  return {
    BackupDetails: { ...toBackupDetails(engine, backup, status), BackupArn: arn },
    SourceTableDetails: toSourceTableDetails(engine, backup.source),
    SourceTableFeatureDetails: structuredClone(sourceFeaturesOf(backup.source)),
  }
}

function toSourceTableDetails(engine: Engine, { description }: BackupSource): SourceTableDetails {
  const { TableName, OnDemandThroughput } = description
  return {
    TableName,
    TableId: description.TableId,
    TableArn: tableArn(engine, TableName!),
    TableSizeBytes: description.TableSizeBytes,
    KeySchema: structuredClone(description.KeySchema),
    TableCreationDateTime: description.CreationDateTime,
    ProvisionedThroughput: toProvisionedUnits(description.ProvisionedThroughput),
    ...(OnDemandThroughput && { OnDemandThroughput: { ...OnDemandThroughput } }),
    ItemCount: description.ItemCount,
    BillingMode: sourceBillingModeOf({ description }),
  }
}

export function sourceBillingModeOf({ description }: BackupSource) {
  return description.BillingModeSummary?.BillingMode ?? 'PROVISIONED'
}

/** Lists the features of the source table. Features that the table did not have are absent. */
export function sourceFeaturesOf({ description, expiryAttribute }: BackupSource): SourceTableFeatureDetails {
  const { LocalSecondaryIndexes, GlobalSecondaryIndexes, VectorIndexes, StreamSpecification, SSEDescription } =
    description
  return {
    ...(LocalSecondaryIndexes && {
      LocalSecondaryIndexes: LocalSecondaryIndexes.map(({ IndexName, KeySchema, Projection }) => ({
        IndexName,
        KeySchema,
        Projection,
      })),
    }),
    ...(GlobalSecondaryIndexes && { GlobalSecondaryIndexes: GlobalSecondaryIndexes.map(toGlobalIndexInfo) }),
    ...(StreamSpecification && { StreamDescription: StreamSpecification }),
    ...(expiryAttribute !== undefined && {
      TimeToLiveDescription: { TimeToLiveStatus: 'ENABLED', AttributeName: expiryAttribute },
    }),
    ...(SSEDescription && { SSEDescription }),
    ...(VectorIndexes && { VectorIndexes: VectorIndexes.map(toVectorIndexInfo) }),
  }
}

function toGlobalIndexInfo(index: GlobalSecondaryIndexDescription): GlobalSecondaryIndexInfo {
  const { IndexName, KeySchema, Projection, OnDemandThroughput } = index
  return {
    IndexName,
    KeySchema,
    Projection,
    ProvisionedThroughput: toProvisionedUnits(index.ProvisionedThroughput),
    ...(OnDemandThroughput && { OnDemandThroughput }),
  }
}

function toVectorIndexInfo(index: VectorIndexDescription) {
  const { IndexName, VectorAttribute, SearchSchema, Projection, Dimensions, DistanceFunction } = index
  const searched = SearchSchema && { SearchSchema }
  return { IndexName, VectorAttribute, ...searched, Projection, Dimensions, DistanceFunction }
}

function toProvisionedUnits({ ReadCapacityUnits = 0, WriteCapacityUnits = 0 }: ProvisionedThroughputDescription = {}) {
  return { ReadCapacityUnits, WriteCapacityUnits }
}
