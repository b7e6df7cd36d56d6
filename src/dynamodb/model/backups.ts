import {
  BACKUP_ARN_CHARACTERS_MAX,
  BACKUP_ARN_CHARACTERS_MIN,
  LIST_BACKUPS,
  TABLE_NAME_OR_ARN_CHARACTERS,
} from '../limits.js'
import { checkedEarly, exemptingArns, max, min } from './constraints.js'
import { globalSecondaryIndexes, localSecondaryIndexes, vectorIndexes } from './indexes.js'
import { indexName, managedTableName, NAME_RULES, nameLabeled } from './members.js'
import {
  booleanShape,
  enumShape,
  integerShape,
  requiredShape,
  structureShape,
  textShape,
  timestampShape,
} from './shapes.js'
import { billingMode, encryption } from './tables.js'
import { onDemandThroughput, provisionedThroughput } from './throughput.js'

const targetTableName = requiredShape(nameLabeled('TableName'))
/** An ARN below the minimum length passes the model and is rejected as an invalid ARN later. */
const backupArn = textShape(max(BACKUP_ARN_CHARACTERS_MAX))

export const createBackup = structureShape('CreateBackupInput', {
  TableName: managedTableName,
  BackupName: requiredShape(indexName),
})

export const describeBackup = structureShape('DescribeBackupInput', { BackupArn: requiredShape(backupArn) })
export const deleteBackup = structureShape('DeleteBackupInput', { BackupArn: requiredShape(backupArn) })

export const listBackups = structureShape('ListBackupsInput', {
  TableName: textShape(checkedEarly(...exemptingArns(...NAME_RULES)), max(TABLE_NAME_OR_ARN_CHARACTERS)),
  Limit: integerShape(min(1), max(LIST_BACKUPS)),
  TimeRangeLowerBound: timestampShape,
  TimeRangeUpperBound: timestampShape,
  ExclusiveStartBackupArn: textShape(min(BACKUP_ARN_CHARACTERS_MIN), max(BACKUP_ARN_CHARACTERS_MAX)),
  BackupType: enumShape('USER', 'SYSTEM', 'AWS_BACKUP', 'ALL'),
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

export const restoreTableFromBackup = structureShape('RestoreTableFromBackupInput', {
  TargetTableName: targetTableName,
  BackupArn: requiredShape(backupArn),
  ...overrides,
})

export const restoreTableToPointInTime = structureShape('RestoreTableToPointInTimeInput', {
  SourceTableArn: textShape(min(1), max(TABLE_NAME_OR_ARN_CHARACTERS)),
  SourceTableName: indexName,
  TargetTableName: targetTableName,
  UseLatestRestorableTime: booleanShape,
  RestoreDateTime: timestampShape,
  ...overrides,
})
