import { RECOVERY_DAYS } from '../../../dynamodb/limits.js'
import type { UpdateContinuousBackupsInput, UpdateContinuousBackupsOutput } from '../../../dynamodb/operation-types.js'
import { removeSystemBackups } from '../../backups/backup.js'
import { startRecovery, stopRecovery } from '../../backups/recovery-log.js'
import type { Engine } from '../../engine.js'
import { validationError } from '../../errors.js'
import { findTableForBackup, toContinuousBackupsDescription } from '../../tables/continuous-backups.js'
import type { Table } from '../../tables/table.js'

export function updateContinuousBackups(
  engine: Engine,
  request: UpdateContinuousBackupsInput,
): UpdateContinuousBackupsOutput {
  const { PointInTimeRecoveryEnabled: enabled, RecoveryPeriodInDays: days } = request.PointInTimeRecoverySpecification
  if (!enabled && days !== undefined)
    throw validationError('Invalid Request: Cannot specify RecoveryPeriodInDays when disabling point-in-time recovery.')
  const table = findTableForBackup(engine, request.TableName)
  if (enabled) startRecovery(engine, table, days ?? RECOVERY_DAYS)
  else disableRecovery(engine, table)
  return { ContinuousBackupsDescription: toContinuousBackupsDescription(engine, table) }
}

function disableRecovery(engine: Engine, table: Table): void {
  stopRecovery(engine, table)
  removeSystemBackups(engine, table)
}
