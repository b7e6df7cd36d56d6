import type { ContinuousBackupsDescription } from '../../dynamodb/operation-types.js'
import { earliestRestorableMs } from '../backups/recovery-log.js'
import type { Engine } from '../engine.js'
import { ServiceError } from '../errors.js'
import { resolveTableName } from './find-table.js'
import type { Table } from './table.js'
import { isTableCreating, settleTable } from './table-transition.js'

/** Finds the table of a backup operation. These operations report a missing table with their own exception. */
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
      // On AWS this is about five minutes ago.
      LatestRestorableDateTime: new Date(nowMs),
    },
  }
}
