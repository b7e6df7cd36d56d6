import type { CreateBackupAnswer, CreateBackupRequest } from '../../dynamodb/operations/backups.js'
import { takeBackup } from '../backups/backup.js'
import { describeDetails } from '../backups/describe.js'
import type { Engine } from '../engine.js'
import { findBackedUp } from '../tables/continuous-backups.js'

/** Names are not unique: each call makes another backup. */
export function createBackup(engine: Engine, request: CreateBackupRequest): CreateBackupAnswer {
  const table = findBackedUp(engine, request.TableName)
  const backup = takeBackup(engine, table, { name: request.BackupName, type: 'USER' })
  return { BackupDetails: describeDetails(engine, backup, 'CREATING') }
}
