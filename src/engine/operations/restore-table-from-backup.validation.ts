import type { RestoreTableFromBackupRequest } from '../../dynamodb/operations/backups.js'
import { backupNameIn } from '../backups/find.js'
import { refuseOtherRegion } from '../backups/regions.validation.js'
import type { Engine } from '../engine.js'

export function validateRestoreTableFromBackup(engine: Engine, request: RestoreTableFromBackupRequest): void {
  refuseOtherRegion(engine, backupNameIn(engine, request.BackupArn).region, request)
}
