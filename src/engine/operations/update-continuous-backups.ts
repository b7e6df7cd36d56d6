import { RECOVERY_DAYS } from '../../dynamodb/limits.js'
import type {
  UpdateContinuousBackupsAnswer,
  UpdateContinuousBackupsRequest,
} from '../../dynamodb/operations/continuous-backups.js'
import type { Engine } from '../engine.js'
import { validation } from '../errors.js'
import { describeBackups, findBackedUp } from '../tables/continuous-backups.js'

export function updateContinuousBackups(
  engine: Engine,
  request: UpdateContinuousBackupsRequest,
): UpdateContinuousBackupsAnswer {
  const { PointInTimeRecoveryEnabled: enabled, RecoveryPeriodInDays: days } = request.PointInTimeRecoverySpecification
  if (!enabled && days !== undefined)
    throw validation('Invalid Request: Cannot specify RecoveryPeriodInDays when disabling point-in-time recovery.')
  const table = findBackedUp(engine, request.TableName)
  const sinceMs = table.pointInTimeRecovery?.sinceMs ?? engine.now()
  table.pointInTimeRecovery = enabled ? { sinceMs, days: days ?? RECOVERY_DAYS } : undefined
  return { ContinuousBackupsDescription: describeBackups(engine, table) }
}
