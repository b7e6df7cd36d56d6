import { itemToJson } from '../../../dynamodb/export/json-item.js'
import { EXPORTS_AT_ONCE } from '../../../dynamodb/limits.js'
import type {
  ExportTableToPointInTimeInput,
  ExportTableToPointInTimeOutput,
  FilterSpecification,
} from '../../../dynamodb/operation-types.js'
import type { Engine } from '../../engine.js'
import { limitExceededError } from '../../errors.js'
import { toTimestampMs } from '../../streams/read-records.js'
import { Bucket, exportsFolder } from '../../transfers/bucket.js'
import { NO_FILTER, readExportFilter } from '../../transfers/export-filter.js'
import { type RunningExport, runExport } from '../../transfers/run-export.js'
import {
  exportOfToken,
  type StoredFilter,
  type TableExport,
  toExportDescription,
} from '../../transfers/table-export.js'
import { newTransferId, transferResource } from '../../transfers/transfer-arns.js'
import { isInProgress } from '../../transfers/transfer-register.js'
import { exportMsOf, findExportedTable, periodOf, validateExport } from './export-table-to-point-in-time.validation.js'

/** Resolves when the export has started. It runs in the background. */
export async function exportTableToPointInTime(
  engine: Engine,
  input: ExportTableToPointInTimeInput,
): Promise<ExportTableToPointInTimeOutput> {
  // The caller may change the request before the write runs.
  const request = structuredClone(input)
  validateExport(request)
  const { started, output } = await engine.keyValues.write(() => startExport(engine, request))
  if (started) engine.jobs.start(signal => runExport(engine, started, signal))
  return output
}

interface StartedExport {
  readonly output: ExportTableToPointInTimeOutput
  /** Absent if an earlier request with the same token started the export. */
  readonly started?: RunningExport
}

function startExport(engine: Engine, request: ExportTableToPointInTimeInput): StartedExport {
  const { ClientToken: token, ...rest } = request
  const table = findExportedTable(engine, request.TableArn)
  const requestText = textOf(rest)
  const earlier = token === undefined ? undefined : exportOfToken(engine, token, requestText)
  if (earlier) return { output: { ExportDescription: toExportDescription(engine, earlier) } }
  // The clock is read once, because it may advance within this function.
  const startMs = Math.floor(engine.now())
  const period = request.IncrementalExportSpecification && periodOf(table, request, startMs)
  const exportMs = period ? undefined : exportMsOf(table, request, startMs)
  const filter = request.FilterSpecification ? readExportFilter(engine, table, request.FilterSpecification) : NO_FILTER
  const bucket = new Bucket(exportsFolder(engine, 'ExportTableToPointInTime'), request.S3Bucket)
  assertBelowLimit(engine)
  const tableName = table.name
  const newExport: TableExport = {
    id: newTransferId(startMs, id => engine.exports.has(transferResource('export', { tableName, id }))),
    tableName,
    tableId: table.description.TableId!,
    clientToken: token ?? crypto.randomUUID(),
    requestText,
    startMs,
    exportMs,
    period,
    type: request.ExportType,
    format: request.ExportFormat ?? 'DYNAMODB_JSON',
    bucket: request.S3Bucket,
    bucketOwner: request.S3BucketOwner,
    prefix: request.S3Prefix,
    sseAlgorithm: request.S3SseAlgorithm ?? 'AES256',
    sseKmsKeyId: request.S3SseKmsKeyId,
    filter: request.FilterSpecification && storedFilter(request.FilterSpecification),
  }
  engine.exports.set(transferResource('export', newExport), newExport)
  // Without a time, the current table is exported, even if the clock went back.
  const isNow = request.ExportTime === undefined
  const position = table.recovery!.positionAfter(isNow ? Number.POSITIVE_INFINITY : exportMs!)
  const { sinceMs } = table.pointInTimeRecovery!
  return {
    output: { ExportDescription: toExportDescription(engine, newExport) },
    started: { export: newExport, bucket, filter, position, sinceMs },
  }
}

function assertBelowLimit(engine: Engine): void {
  const { transitionMs } = engine.settings
  const running = [...engine.exports.values()].filter(each => isInProgress(each, transitionMs, engine.now()))
  if (running.length >= EXPORTS_AT_ONCE)
    throw limitExceededError(
      `Subscriber limit exceeded: Only ${EXPORTS_AT_ONCE} exports can be in progress simultaneously`,
    )
}

function storedFilter({ ExpressionAttributeValues: values, ...expressions }: FilterSpecification): StoredFilter {
  return { ...expressions, ...(values && { valuesJson: itemToJson(values) }) }
}

/** The text of equal requests is equal: a client may send a time as a number or as a date. */
function textOf({ ExportTime, ...rest }: Omit<ExportTableToPointInTimeInput, 'ClientToken'>): string {
  const { IncrementalExportSpecification: period, FilterSpecification: filter, ...plain } = rest
  const ms = (time: Date | undefined) => (time === undefined ? undefined : toTimestampMs(time))
  return JSON.stringify([
    Object.entries(plain).sort(([a], [b]) => (a < b ? -1 : 1)),
    ms(ExportTime),
    period && [ms(period.ExportFromTime), ms(period.ExportToTime), period.ExportViewType],
    filter && storedFilter(filter),
  ])
}
