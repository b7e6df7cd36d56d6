import type { ContinuousBackupsDescription } from '../../dynamodb/operations/continuous-backups.js'
import { earliestRestorableMs } from '../backups/recovery-log.js'
import type { Engine } from '../engine.js'
import { ServiceError } from '../errors.js'
import { resolveTableName } from './find-table.js'
import type { Table } from './table.js'
import { isTableCreating, settleTable } from './table-transition.js'

/** The table that an operation on backups names; these have an exception of their own for one that is missing. */
export function findTableForBackup(engine: Engine, nameOrArn: string): Table {
  const name = resolveTableName(engine, nameOrArn)
  const table = engine.tables.get(name)
  if (!table || !settleTable(engine, table) || isTableCreating(table))
    throw new ServiceError('TableNotFoundException', `Table not found: ${name}`)
  return table
}

export function toContinuousBackupsDescription(
  engine: Engine,
  { pointInTimeRecovery }: Table,
): ContinuousBackupsDescription {
  if (!pointInTimeRecovery)
    return {
      ContinuousBackupsStatus: 'ENABLED',
      PointInTimeRecoveryDescription: { PointInTimeRecoveryStatus: 'DISABLED' },
    }
  const nowMs = engine.now()
  return {
    ContinuousBackupsStatus: 'ENABLED',
    PointInTimeRecoveryDescription: {
      PointInTimeRecoveryStatus: 'ENABLED',
      RecoveryPeriodInDays: pointInTimeRecovery.days,
      EarliestRestorableDateTime: new Date(earliestRestorableMs(pointInTimeRecovery, nowMs)),
      // The service is some five minutes behind.
      LatestRestorableDateTime: new Date(nowMs),
    },
  }
}
