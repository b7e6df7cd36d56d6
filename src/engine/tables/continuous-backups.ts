import type { ContinuousBackupsDescription } from '../../dynamodb/operations/continuous-backups.js'
import type { Engine } from '../engine.js'
import { ServiceError } from '../errors.js'
import { tableName } from './find.js'
import type { Table } from './table.js'
import { isBeingCreated, settle } from './transition.js'

const DAY_MS = 24 * 3600 * 1000
/** The service can restore what was written until then. */
const RESTORABLE_AFTER_MS = 5 * 60 * 1000

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
  const { sinceMs, days } = pointInTimeRecovery
  const earliestMs = Math.max(sinceMs, engine.now() - days * DAY_MS)
  const latestMs = Math.max(earliestMs, engine.now() - RESTORABLE_AFTER_MS)
  return {
    ContinuousBackupsStatus: 'ENABLED',
    PointInTimeRecoveryDescription: {
      PointInTimeRecoveryStatus: 'ENABLED',
      RecoveryPeriodInDays: days,
      EarliestRestorableDateTime: new Date(earliestMs),
      LatestRestorableDateTime: new Date(latestMs),
    },
  }
}
