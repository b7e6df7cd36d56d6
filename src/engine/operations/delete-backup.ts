import type { DeleteBackupAnswer, DeleteBackupRequest } from '../../dynamodb/operations/backups.js'
import { forgetBackup } from '../backups/backup.js'
import { describeBackup } from '../backups/describe.js'
import { findBackup } from '../backups/find.js'
import { refuseWhileBeingMade, restoringFrom } from '../backups/in-use.validation.js'
import type { Engine } from '../engine.js'
import { ServiceError, validation } from '../errors.js'

export function deleteBackup(engine: Engine, { BackupArn }: DeleteBackupRequest): DeleteBackupAnswer {
  const backup = findBackup(engine, BackupArn)
  if (backup.expiryMs !== undefined)
    throw validation(
      `Invalid Request: User is not allowed to delete the system backup with arn ${BackupArn}. ` +
        `It will automatically expire on ${new Date(backup.expiryMs).toISOString()}`,
    )
  refuseWhileBeingMade(engine, backup)
  if (restoringFrom(engine, backup))
    throw new ServiceError('BackupInUseException', `Backup is being used to restore table: ${BackupArn}`)
  const BackupDescription = describeBackup(engine, backup, BackupArn, 'DELETED')
  forgetBackup(engine, backup)
  return { BackupDescription }
}
