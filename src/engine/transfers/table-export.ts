import type { Item } from '../../dynamodb/attribute-value.js'
import { parseJsonItem } from '../../dynamodb/export/json-item.js'
import { TRANSFER_TOKEN_MS } from '../../dynamodb/limits.js'
import type {
  ExportDescription,
  ExportFormat,
  ExportType,
  ExportViewType,
  FilterSpecification,
  S3SseAlgorithm,
} from '../../dynamodb/operation-types.js'
import type { Engine } from '../engine.js'
import { ServiceError } from '../errors.js'
import { tableArn } from '../tables/arns.js'
import { arnOfTransfer, parseTransferArn, transferResource } from './transfer-arns.js'
import { isInProgress, shownEndMs } from './transfer-register.js'

/** The period of an incremental export: from inclusive, to exclusive. */
export interface ExportPeriod {
  readonly fromMs: number
  readonly toMs: number
  readonly view: ExportViewType
}

/** An export of a table, in plain data: it is stored as JSON. */
export interface TableExport {
  readonly id: string
  readonly tableName: string
  readonly tableId: string
  readonly clientToken: string
  /** The request without its token: another request with the token is a conflict. */
  readonly requestText: string
  readonly startMs: number
  /** The moment of a full export. */
  readonly exportMs?: number | undefined
  readonly period?: ExportPeriod | undefined
  readonly type?: ExportType | undefined
  readonly format: ExportFormat
  readonly bucket: string
  readonly bucketOwner?: string | undefined
  readonly prefix?: string | undefined
  readonly sseAlgorithm: S3SseAlgorithm
  readonly sseKmsKeyId?: string | undefined
  readonly filter?: StoredFilter | undefined
  readonly outcome?: ExportOutcome | undefined
}

/** A filter whose values are DynamoDB JSON, in which bytes are text. */
export type StoredFilter = Omit<FilterSpecification, 'ExpressionAttributeValues'> & {
  readonly valuesJson?: string | undefined
}

export type ExportOutcome =
  | { readonly status: 'COMPLETED'; readonly endMs: number; readonly itemCount: number; readonly sizeBytes: number }
  | { readonly status: 'FAILED'; readonly endMs: number; readonly code: string; readonly message: string }

/** The beginning of the keys of an export's files. */
export function exportKey({ prefix, id }: Pick<TableExport, 'prefix' | 'id'>): string {
  return `${sharedKey(prefix)}${id}/`
}

/** Where the exports of a prefix are, and the data of its incremental exports. */
export function sharedKey(prefix: string | undefined): string {
  if (prefix === undefined || prefix === '') return 'AWSDynamoDB/'
  return `${prefix.replace(/\/$/, '')}/AWSDynamoDB/`
}

const summaryKey = (of: TableExport) => `${exportKey(of)}manifest-summary.json`

export function findExport(engine: Engine, arn: string): TableExport {
  const name = parseTransferArn(engine, 'export', arn)
  if (!name) throw new ServiceError('ExportNotFoundException', 'Export not found: Invalid export arn')
  const found = engine.exports.get(transferResource('export', name))
  if (!found) throw new ServiceError('ExportNotFoundException', `Export not found: Export not found: ${arn}`)
  return found
}

/** The export that an earlier request with this token started, while the token is valid. */
export function exportOfToken(engine: Engine, token: string, requestText: string): TableExport | undefined {
  const { transitionMs } = engine.settings
  for (const found of engine.exports.values()) {
    if (found.clientToken !== token) continue
    const endMs = shownEndMs(found, transitionMs)
    if (endMs !== undefined && engine.now() >= endMs + TRANSFER_TOKEN_MS) continue
    if (found.requestText === requestText) return found
    throw new ServiceError(
      'ExportConflictException',
      'Export conflict: Duplicate request detected with conflicting parameters',
    )
  }
  return undefined
}

export function toExportDescription(engine: Engine, of: TableExport): ExportDescription {
  const { exportMs, period } = of
  return {
    ExportArn: arnOfTransfer(engine, 'export', of),
    ExportStatus: 'IN_PROGRESS',
    StartTime: new Date(of.startMs),
    TableArn: tableArn(engine, of.tableName),
    TableId: of.tableId,
    ...(exportMs !== undefined && { ExportTime: new Date(exportMs) }),
    ClientToken: of.clientToken,
    S3Bucket: of.bucket,
    ...(of.bucketOwner !== undefined && { S3BucketOwner: of.bucketOwner }),
    ...(of.prefix !== undefined && { S3Prefix: of.prefix }),
    S3SseAlgorithm: of.sseAlgorithm,
    ...(of.sseKmsKeyId !== undefined && { S3SseKmsKeyId: of.sseKmsKeyId }),
    ExportFormat: of.format,
    ...(of.type && { ExportType: of.type }),
    ...(period && {
      IncrementalExportSpecification: {
        ExportFromTime: new Date(period.fromMs),
        ExportToTime: new Date(period.toMs),
        ExportViewType: period.view,
      },
    }),
    ...(of.filter && { FilterSpecification: filterOf(of.filter) }),
    ...describeOutcome(engine, of),
  }
}

function describeOutcome(engine: Engine, of: TableExport): ExportDescription {
  const { transitionMs } = engine.settings
  const { outcome } = of
  if (!outcome || isInProgress(of, transitionMs, engine.now())) return {}
  const EndTime = new Date(shownEndMs(of, transitionMs)!)
  if (outcome.status === 'FAILED')
    return { ExportStatus: 'FAILED', EndTime, FailureCode: outcome.code, FailureMessage: outcome.message }
  return {
    ExportStatus: 'COMPLETED',
    EndTime,
    ExportManifest: summaryKey(of),
    BilledSizeBytes: outcome.sizeBytes,
    ItemCount: outcome.itemCount,
  }
}

function filterOf({ valuesJson, ...expressions }: StoredFilter): FilterSpecification {
  if (valuesJson === undefined) return expressions
  const values: Item = parseJsonItem(JSON.parse(valuesJson), 'ExpressionAttributeValues')
  return { ...expressions, ExpressionAttributeValues: values }
}
