import type { RestoreTableToPointInTimeRequest } from '../../dynamodb/operations/backups.js'
import { earliestMs } from '../backups/recovery.js'
import { refuseOtherRegion } from '../backups/regions.validation.js'
import type { Engine } from '../engine.js'
import { invalidParameter, ServiceError, validation } from '../errors.js'
import { timestampMs } from '../streams/read.js'
import type { Table } from '../tables/table.js'

const ARN = /^arn:aws:dynamodb:([^:]+):([^:]*):table\/([a-zA-Z0-9_.-]+)$/

const DATE_MS_MAX = 8.64e15

/** Which table is to be restored. What the request itself has wrong is told before. */
export function sourceTableName(engine: Engine, request: RestoreTableToPointInTimeRequest): string {
  checkTimes(request)
  const { SourceTableArn: arn, SourceTableName: name } = request
  if (arn !== undefined && name !== undefined)
    throw validation('Must provide exactly one of: sourceTableArn, sourceTableName')
  if (arn !== undefined) return nameIn(engine, arn, request)
  if (name === undefined) throw validation("The parameter 'TableName' is required but was not present in the request")
  return name
}

function checkTimes({ RestoreDateTime, UseLatestRestorableTime: useLatest = false }: RestoreTableToPointInTimeRequest) {
  if (RestoreDateTime !== undefined && useLatest)
    throw validation(
      'Invalid Request: Both RestoreDateTime and UseLatestRestorableTime cannot be set for point-in-time restore ' +
        'request. Please specify either RestoreDateTime time or UseLatestRestorableTime',
    )
  if (RestoreDateTime === undefined && !useLatest)
    throw validation(
      'Invalid Request: Either one of RestoreDateTime or UseLatestRestorableTime must be specified, but not both',
    )
}

function nameIn(engine: Engine, arn: string, request: RestoreTableToPointInTimeRequest): string {
  if (!arn.startsWith('arn:')) throw invalidParameter(`ARNs must start with 'arn:': ${arn}`)
  const [, region, accountId, name] = ARN.exec(arn) ?? []
  if (name === undefined) throw validation('sourceTableArn is not a valid ARN')
  if (accountId !== engine.accountId)
    throw validation('This action is only supported by accounts that match the resource owner’s account.')
  refuseOtherRegion(engine, region!, request)
  return name
}

/** The moment to go back to; none for the newest state, which is that of now. The service has it only after some minutes. */
export function restorableMs(
  engine: Engine,
  table: Table,
  request: RestoreTableToPointInTimeRequest,
): number | undefined {
  const { pointInTimeRecovery: recovery, name } = table
  if (!recovery)
    throw new ServiceError(
      'PointInTimeRecoveryUnavailableException',
      `Point in time recovery is not enabled for table '${name}'`,
    )
  if (request.RestoreDateTime === undefined) return undefined
  const latest = Math.floor(engine.now())
  const wanted = timestampMs(request.RestoreDateTime)
  const earliest = earliestMs(recovery, latest)
  if (wanted >= earliest && wanted <= latest) return wanted
  throw new ServiceError(
    'InvalidRestoreTimeException',
    `RestoreDateTime '${timeText(wanted)}' must be within EarliestRestorableDateTime '${timeText(earliest)}' ` +
      `and LatestRestorableDateTime '${timeText(latest)}'`,
  )
}

/** A client can name times that no date can be. */
function timeText(ms: number): string {
  const date = new Date(Math.max(-DATE_MS_MAX, Math.min(ms, DATE_MS_MAX)))
  return `${date.toISOString().slice(0, -'.000Z'.length)}Z`
}
