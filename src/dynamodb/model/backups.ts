import {
  BACKUP_ARN_CHARACTERS_MAX,
  BACKUP_ARN_CHARACTERS_MIN,
  LIST_BACKUPS,
  TABLE_NAME_OR_ARN_CHARACTERS,
} from '../limits.js'
import { early, max, min, sparingArns } from './constraints.js'
import { globalSecondaryIndexes, localSecondaryIndexes, vectorIndexes } from './indexes.js'
import { indexName, managedTableName, NAME_RULES, nameCalled } from './members.js'
import { boolean, enumeration, integer, required, structure, text, timestamp } from './shapes.js'
import { billingMode, encryption } from './tables.js'
import { onDemandThroughput, provisionedThroughput } from './throughput.js'

const targetTableName = required(nameCalled('TableName'))
/** One that is too short is refused as an ARN that is none, once it is read. */
const backupArn = text(max(BACKUP_ARN_CHARACTERS_MAX))

export const createBackup = structure('CreateBackupInput', {
  TableName: managedTableName,
  BackupName: required(indexName),
})

export const describeBackup = structure('DescribeBackupInput', { BackupArn: required(backupArn) })
export const deleteBackup = structure('DeleteBackupInput', { BackupArn: required(backupArn) })

export const listBackups = structure('ListBackupsInput', {
  TableName: text(early(...sparingArns(...NAME_RULES)), max(TABLE_NAME_OR_ARN_CHARACTERS)),
  Limit: integer(min(1), max(LIST_BACKUPS)),
  TimeRangeLowerBound: timestamp,
  TimeRangeUpperBound: timestamp,
  ExclusiveStartBackupArn: text(min(BACKUP_ARN_CHARACTERS_MIN), max(BACKUP_ARN_CHARACTERS_MAX)),
  BackupType: enumeration('USER', 'SYSTEM', 'AWS_BACKUP', 'ALL'),
})

const overrides = {
  BillingModeOverride: billingMode,
  GlobalSecondaryIndexOverride: globalSecondaryIndexes,
  LocalSecondaryIndexOverride: localSecondaryIndexes,
  ProvisionedThroughputOverride: provisionedThroughput,
  OnDemandThroughputOverride: onDemandThroughput,
  SSESpecificationOverride: encryption,
  VectorIndexOverride: vectorIndexes,
}

export const restoreTableFromBackup = structure('RestoreTableFromBackupInput', {
  TargetTableName: targetTableName,
  BackupArn: required(backupArn),
  ...overrides,
})

export const restoreTableToPointInTime = structure('RestoreTableToPointInTimeInput', {
  SourceTableArn: text(min(1), max(TABLE_NAME_OR_ARN_CHARACTERS)),
  SourceTableName: indexName,
  TargetTableName: targetTableName,
  UseLatestRestorableTime: boolean,
  RestoreDateTime: timestamp,
  ...overrides,
})
