import { INCREMENTAL_EXPORT_MS_MAX, INCREMENTAL_EXPORT_MS_MIN } from '../../../dynamodb/limits.js'
import type { ExportTableToPointInTimeInput } from '../../../dynamodb/operation-types.js'
import { earliestRestorableMs } from '../../backups/recovery-log.js'
import type { Engine } from '../../engine.js'
import { ServiceError, validationError } from '../../errors.js'
import { toTimestampMs } from '../../streams/read-records.js'
import type { PointInTimeRecovery, Table } from '../../tables/table.js'
import { isTableCreating, settleTable } from '../../tables/table-transition.js'
import { checkPrefix } from '../../transfers/bucket.js'
import type { ExportPeriod } from '../../transfers/table-export.js'
import { parseTableArn } from '../../transfers/transfer-arns.js'

/** Checks a request without the state of the engine. */
export function validateExport(request: ExportTableToPointInTimeInput): void {
  const { ExportType, IncrementalExportSpecification: period, S3SseAlgorithm, S3SseKmsKeyId } = request
  if (period && ExportType === undefined)
    throw validationError(
      'Invalid Request: Export Type expected to be Incremental Export when incremental export specification is provided',
    )
  if (period && ExportType === 'FULL_EXPORT')
    throw validationError(
      'Invalid Request: When Export Type is Full Export , Incremental Export Specification should not be provided',
    )
  if (!period && ExportType === 'INCREMENTAL_EXPORT')
    throw validationError(
      'Invalid Request: Incremental Export Specification expected when export type is set as Incremental Export',
    )
  if (period && period.ExportFromTime === undefined)
    throw validationError('Invalid Request: ExportFromTime must be provided in IncrementalExportSpecification')
  if (S3SseKmsKeyId !== undefined && S3SseAlgorithm !== 'KMS')
    throw validationError('Invalid Request: KMS Key Id is not supported for this encryption type')
  checkPrefix('S3Prefix', request.S3Prefix)
}

/** The table to export. */
export function findExportedTable(engine: Engine, arn: string): Table {
  const name = parseTableArn(engine, arn)
  const table = name === undefined ? undefined : engine.tables.get(name)
  if (!table || !settleTable(engine, table) || isTableCreating(table) || table.transition)
    throw new ServiceError('TableNotFoundException', `Table not found: ${arn}`)
  return table
}

/** The moment of a full export: now, or the requested time. */
export function exportMsOf(table: Table, { ExportTime }: ExportTableToPointInTimeInput, nowMs: number): number {
  const recovery = recoveryOf(table)
  if (ExportTime === undefined) return nowMs
  const wanted = toTimestampMs(ExportTime)
  if (wanted < earliestRestorableMs(recovery, nowMs) || !(wanted <= nowMs)) throw invalidTime('Export Time is invalid')
  return wanted
}

/** The period of an incremental export. */
export function periodOf(table: Table, request: ExportTableToPointInTimeInput, nowMs: number): ExportPeriod {
  const {
    ExportFromTime,
    ExportToTime,
    ExportViewType: view = 'NEW_AND_OLD_IMAGES',
  } = request.IncrementalExportSpecification!
  const fromMs = toTimestampMs(ExportFromTime!)
  const toMs = ExportToTime === undefined ? nowMs : toTimestampMs(ExportToTime)
  const createdMs = Math.floor(table.description.CreationDateTime!.getTime() / SECOND_MS) * SECOND_MS
  if (!(fromMs >= createdMs))
    throw invalidTime(
      `Incremental export period from time cannot be less than the table creation time : ${timeText(fromMs)}`,
    )
  const recovery = recoveryOf(table)
  if (fromMs >= toMs)
    throw invalidTime(
      'Incremental export period from time should not be greater or equal to incremental export period to time',
    )
  if (!(toMs <= nowMs))
    throw invalidTime(`Incremental export period to time cannot be greater than the current time : ${timeText(toMs)}`)
  checkLength(toMs - fromMs)
  if (fromMs < earliestRestorableMs(recovery, nowMs))
    throw invalidTime('Point in Time Recovery is not available for specified export time')
  return { fromMs, toMs, view }
}

const SECOND_MS = 1000
const DATE_MS_MAX = 8.64e15

function checkLength(lengthMs: number): void {
  const difference = 'Difference between export period from time and export period to time is'
  if (lengthMs < INCREMENTAL_EXPORT_MS_MIN) throw invalidTime(`${difference} less than 15 minutes`)
  if (lengthMs > INCREMENTAL_EXPORT_MS_MAX) throw invalidTime(`${difference} greater than 24 hours`)
}

function recoveryOf({ pointInTimeRecovery, name }: Table): PointInTimeRecovery {
  if (pointInTimeRecovery) return pointInTimeRecovery
  throw new ServiceError(
    'PointInTimeRecoveryUnavailableException',
    `Point in time recovery is not enabled for table '${name}'`,
  )
}

const invalidTime = (message: string) => new ServiceError('InvalidExportTimeException', message)

/** A client can name times that no date can have. */
function timeText(ms: number): string {
  const date = new Date(Math.max(-DATE_MS_MAX, Math.min(Number.isNaN(ms) ? 0 : ms, DATE_MS_MAX)))
  return `${date.toISOString().slice(0, -'.000Z'.length)}Z`
}
