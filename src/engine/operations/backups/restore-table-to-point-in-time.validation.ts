import type { RestoreTableToPointInTimeInput } from '../../../dynamodb/operation-types.js'
import { earliestRestorableMs } from '../../backups/recovery-log.js'
import { checkRestoreRegion } from '../../backups/regions.validation.js'
import type { Engine } from '../../engine.js'
import { invalidParameterError, ServiceError, validationError } from '../../errors.js'
import { toTimestampMs } from '../../streams/read-records.js'
import type { Table } from '../../tables/table.js'

const ARN = /^arn:aws:dynamodb:([^:]+):([^:]*):table\/([a-zA-Z0-9_.-]+)$/

const DATE_MS_MAX = 8.64e15

/** Resolves the name of the table to restore. Errors within the request are reported first. */
export function resolveSourceTableName(engine: Engine, request: RestoreTableToPointInTimeInput): string {
  checkTimes(request)
  const { SourceTableArn: arn, SourceTableName: name } = request
  if (arn !== undefined && name !== undefined)
    throw validationError('Must provide exactly one of: sourceTableArn, sourceTableName')
  if (arn !== undefined) return parseTableArn(engine, arn, request)
  if (name === undefined)
    throw validationError("The parameter 'TableName' is required but was not present in the request")
  return name
}

function checkTimes({ RestoreDateTime, UseLatestRestorableTime: useLatest = false }: RestoreTableToPointInTimeInput) {
  if (RestoreDateTime !== undefined && useLatest)
    throw validationError(
      'Invalid Request: Both RestoreDateTime and UseLatestRestorableTime cannot be set for point-in-time restore ' +
        'request. Please specify either RestoreDateTime time or UseLatestRestorableTime',
    )
  if (RestoreDateTime === undefined && !useLatest)
    throw validationError(
      'Invalid Request: Either one of RestoreDateTime or UseLatestRestorableTime must be specified, but not both',
    )
}

function parseTableArn(engine: Engine, arn: string, request: RestoreTableToPointInTimeInput): string {
  if (!arn.startsWith('arn:')) throw invalidParameterError(`ARNs must start with 'arn:': ${arn}`)
  const [, region, accountId, name] = ARN.exec(arn) ?? []
  if (name === undefined) throw validationError('sourceTableArn is not a valid ARN')
  if (accountId !== engine.accountId)
    throw validationError('This action is only supported by accounts that match the resource owner’s account.')
  checkRestoreRegion(engine, region!, request)
  return name
}

/**
 * Returns the time to restore, or undefined for the latest state, which is the current one. On AWS the latest state is
 * some minutes old.
 */
export function resolveRestoreTimeMs(
  engine: Engine,
  table: Table,
  request: RestoreTableToPointInTimeInput,
): number | undefined {
  const { pointInTimeRecovery: recovery, name } = table
  if (!recovery)
    throw new ServiceError(
      'PointInTimeRecoveryUnavailableException',
      `Point in time recovery is not enabled for table '${name}'`,
    )
  if (request.RestoreDateTime === undefined) return undefined
  const latest = Math.floor(engine.now())
  const wanted = toTimestampMs(request.RestoreDateTime)
  const earliest = earliestRestorableMs(recovery, latest)
  if (wanted >= earliest && wanted <= latest) return wanted
  throw new ServiceError(
    'InvalidRestoreTimeException',
    `RestoreDateTime '${formatTime(wanted)}' must be within EarliestRestorableDateTime '${formatTime(earliest)}' ` +
      `and LatestRestorableDateTime '${formatTime(latest)}'`,
  )
}

/** A request can contain times outside the range of Date. */
function formatTime(ms: number): string {
  const date = new Date(Math.max(-DATE_MS_MAX, Math.min(ms, DATE_MS_MAX)))
  return `${date.toISOString().slice(0, -'.000Z'.length)}Z`
}
