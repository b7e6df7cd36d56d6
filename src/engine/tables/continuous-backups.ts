import type { ContinuousBackupsDescription } from '../../dynamodb/operations/continuous-backups.js'
import { earliestMs } from '../backups/recovery.js'
import type { Engine } from '../engine.js'
import { ServiceError } from '../errors.js'
import { tableName } from './find.js'
import type { Table } from './table.js'
import { isBeingCreated, settle } from './transition.js'

/** The table that an operation on backups names; these have an exception of their own for one that is missing. */
export function findBackedUp(engine: Engine, nameOrArn: string): Table {
  const name = tableName(engine, nameOrArn)
  const table = engine.tables.get(name)
  if (!table || !settle(engine, table) || isBeingCreated(table))
    throw new ServiceError('TableNotFoundException', `Table not found: ${name}`)
  return table
}

export function describeBackups(engine: Engine, { pointInTimeRecovery }: Table): ContinuousBackupsDescription {
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
      EarliestRestorableDateTime: new Date(earliestMs(pointInTimeRecovery, nowMs)),
      // The service is some five minutes behind.
      LatestRestorableDateTime: new Date(nowMs),
    },
  }
}
