import { RECOVERY_DAYS } from '../../dynamodb/limits.js'
import type {
  UpdateContinuousBackupsAnswer,
  UpdateContinuousBackupsRequest,
} from '../../dynamodb/operations/continuous-backups.js'
import { forgetDeleted } from '../backups/backup.js'
import { startRecovery, stopRecovery } from '../backups/recovery.js'
import type { Engine } from '../engine.js'
import { validation } from '../errors.js'
import { describeBackups, findBackedUp } from '../tables/continuous-backups.js'
import type { Table } from '../tables/table.js'

export function updateContinuousBackups(
  engine: Engine,
  request: UpdateContinuousBackupsRequest,
): UpdateContinuousBackupsAnswer {
  const { PointInTimeRecoveryEnabled: enabled, RecoveryPeriodInDays: days } = request.PointInTimeRecoverySpecification
  if (!enabled && days !== undefined)
    throw validation('Invalid Request: Cannot specify RecoveryPeriodInDays when disabling point-in-time recovery.')
  const table = findBackedUp(engine, request.TableName)
  if (enabled) startRecovery(engine, table, days ?? RECOVERY_DAYS)
  else stop(engine, table)
  return { ContinuousBackupsDescription: describeBackups(engine, table) }
}

function stop(engine: Engine, table: Table): void {
  stopRecovery(engine, table)
  forgetDeleted(engine, table)
}
