import type { RestoreTableFromBackupInput, RestoreTableFromBackupOutput } from '../../../dynamodb/operation-types.js'
import { findBackup } from '../../backups/find-backup.js'
import { checkBackupAvailable, isRestoringFrom } from '../../backups/in-use.validation.js'
import { restoreTable } from '../../backups/restore-table.js'
import type { Engine } from '../../engine.js'
import { ServiceError } from '../../errors.js'
import { tableArn } from '../../tables/arns.js'
import { validateRestoreTableFromBackup } from './restore-table-from-backup.validation.js'

export function restoreTableFromBackup(
  engine: Engine,
  request: RestoreTableFromBackupInput,
): RestoreTableFromBackupOutput {
  const { TargetTableName, BackupArn } = request
  validateRestoreTableFromBackup(engine, request)
  const backup = findBackup(engine, BackupArn)
  checkBackupAvailable(engine, backup)
  const TableDescription = restoreTable(engine, {
    name: TargetTableName,
    source: backup.source,
    overrides: request,
    summary: {
      SourceBackupArn: BackupArn,
      SourceTableArn: tableArn(engine, backup.source.description.TableName!),
      RestoreDateTime: new Date(backup.createdMs),
    },
    check() {
      if (isRestoringFrom(engine, backup))
        throw new ServiceError('BackupInUseException', `Backup is being used to restore another table: ${BackupArn}`)
    },
    fill: spaceName => engine.keyValues.copy(backup.spaceName, spaceName),
  })
  return { TableDescription }
}
