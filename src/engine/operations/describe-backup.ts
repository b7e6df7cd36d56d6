import type { DescribeBackupAnswer, DescribeBackupRequest } from '../../dynamodb/operations/backups.js'
import { describeBackup as describe } from '../backups/describe.js'
import { findBackup } from '../backups/find.js'
import type { Engine } from '../engine.js'

export function describeBackup(engine: Engine, { BackupArn }: DescribeBackupRequest): DescribeBackupAnswer {
  return { BackupDescription: describe(engine, findBackup(engine, BackupArn), BackupArn) }
}
