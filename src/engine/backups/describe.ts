import type {
  BackupDescription,
  BackupDetails,
  BackupStatus,
  GlobalSecondaryIndexInfo,
  SourceTableDetails,
  SourceTableFeatureDetails,
} from '../../dynamodb/operations/backups.js'
import type { GlobalSecondaryIndexDescription, VectorIndexDescription } from '../../dynamodb/operations/indexes.js'
import type { ProvisionedThroughputDescription } from '../../dynamodb/operations/throughput.js'
import type { Engine } from '../engine.js'
import { tableArn } from '../tables/arns.js'
import { type Backup, isBeingMade, type Source } from './backup.js'
import { backupArn } from './find.js'

export function describeDetails(
  engine: Engine,
  backup: Backup,
  status: BackupStatus = isBeingMade(backup, engine.now()) ? 'CREATING' : 'AVAILABLE',
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

/** By the ARN that it was asked for by. */
export function describeBackup(engine: Engine, backup: Backup, arn: string, status?: BackupStatus): BackupDescription {
  return {
    BackupDetails: { ...describeDetails(engine, backup, status), BackupArn: arn },
    SourceTableDetails: describeSource(engine, backup.source),
    SourceTableFeatureDetails: structuredClone(featuresOf(backup.source)),
  }
}

function describeSource(engine: Engine, { description }: Source): SourceTableDetails {
  const { TableName, OnDemandThroughput } = description
  return {
    TableName,
    TableId: description.TableId,
    TableArn: tableArn(engine, TableName!),
    TableSizeBytes: description.TableSizeBytes,
    KeySchema: structuredClone(description.KeySchema),
    TableCreationDateTime: description.CreationDateTime,
    ProvisionedThroughput: unitsOf(description.ProvisionedThroughput),
    ...(OnDemandThroughput && { OnDemandThroughput: { ...OnDemandThroughput } }),
    ItemCount: description.ItemCount,
    BillingMode: billingModeOf({ description }),
  }
}

export function billingModeOf({ description }: Source) {
  return description.BillingModeSummary?.BillingMode ?? 'PROVISIONED'
}

/** Without those that a table did not have. */
export function featuresOf({ description, expiryAttribute }: Source): SourceTableFeatureDetails {
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
    ...(GlobalSecondaryIndexes && { GlobalSecondaryIndexes: GlobalSecondaryIndexes.map(globalIndexInfo) }),
    ...(StreamSpecification && { StreamDescription: StreamSpecification }),
    ...(expiryAttribute !== undefined && {
      TimeToLiveDescription: { TimeToLiveStatus: 'ENABLED', AttributeName: expiryAttribute },
    }),
    ...(SSEDescription && { SSEDescription }),
    ...(VectorIndexes && { VectorIndexes: VectorIndexes.map(vectorIndexInfo) }),
  }
}

function globalIndexInfo(index: GlobalSecondaryIndexDescription): GlobalSecondaryIndexInfo {
  const { IndexName, KeySchema, Projection, OnDemandThroughput } = index
  return {
    IndexName,
    KeySchema,
    Projection,
    ProvisionedThroughput: unitsOf(index.ProvisionedThroughput),
    ...(OnDemandThroughput && { OnDemandThroughput }),
  }
}

function vectorIndexInfo(index: VectorIndexDescription) {
  const { IndexName, VectorAttribute, SearchSchema, Projection, Dimensions, DistanceFunction } = index
  const searched = SearchSchema && { SearchSchema }
  return { IndexName, VectorAttribute, ...searched, Projection, Dimensions, DistanceFunction }
}

function unitsOf({ ReadCapacityUnits = 0, WriteCapacityUnits = 0 }: ProvisionedThroughputDescription = {}) {
  return { ReadCapacityUnits, WriteCapacityUnits }
}
