import type { DeleteBackupInput, DeleteBackupOutput } from '../../../dynamodb/operation-types.js'
import { removeBackup } from '../../backups/backup.js'
import { toBackupDescription } from '../../backups/backup-description.js'
import { findBackup } from '../../backups/find-backup.js'
import { checkBackupAvailable, isRestoringFrom } from '../../backups/in-use.validation.js'
import type { Engine } from '../../engine.js'
import { ServiceError, validationError } from '../../errors.js'

export function deleteBackup(engine: Engine, { BackupArn }: DeleteBackupInput): DeleteBackupOutput {
  const backup = findBackup(engine, BackupArn)
  if (backup.expiryMs !== undefined)
    throw validationError(
      `Invalid Request: User is not allowed to delete the system backup with arn ${BackupArn}. ` +
        `It will automatically expire on ${new Date(backup.expiryMs).toISOString()}`,
    )
  checkBackupAvailable(engine, backup)
  if (isRestoringFrom(engine, backup))
    throw new ServiceError('BackupInUseException', `Backup is being used to restore table: ${BackupArn}`)
  const BackupDescription = toBackupDescription(engine, backup, BackupArn, 'DELETED')
  removeBackup(engine, backup)
  return { BackupDescription }
}
