import type { RestoreTableFromBackupInput } from '../../../dynamodb/operation-types.js'
import { parseBackupArn } from '../../backups/find-backup.js'
import { checkRestoreRegion } from '../../backups/regions.validation.js'
import type { Engine } from '../../engine.js'

export function validateRestoreTableFromBackup(engine: Engine, request: RestoreTableFromBackupInput): void {
  checkRestoreRegion(engine, parseBackupArn(engine, request.BackupArn).region, request)
}
