import type { CreateBackupInput, CreateBackupOutput } from '../../../dynamodb/operation-types.js'
import { takeBackup } from '../../backups/backup.js'
import { toBackupDetails } from '../../backups/backup-description.js'
import type { Engine } from '../../engine.js'
import { findTableForBackup } from '../../tables/continuous-backups.js'

/** Creates a backup. Names are not unique, so each call creates another one. */
export function createBackup(engine: Engine, request: CreateBackupInput): CreateBackupOutput {
  const table = findTableForBackup(engine, request.TableName)
  const backup = takeBackup(engine, table, { name: request.BackupName, type: 'USER' })
  return { BackupDetails: toBackupDetails(engine, backup, 'CREATING') }
}
