import type { DescribeBackupInput, DescribeBackupOutput } from '../../../dynamodb/operation-types.js'
import { toBackupDescription as describe } from '../../backups/backup-description.js'
import { findBackup } from '../../backups/find-backup.js'
import type { Engine } from '../../engine.js'

export function describeBackup(engine: Engine, { BackupArn }: DescribeBackupInput): DescribeBackupOutput {
  return { BackupDescription: describe(engine, findBackup(engine, BackupArn), BackupArn) }
}
