import { TRANSFER_TOKEN_MS } from '../../dynamodb/limits.js'
import type {
  ImportSummary,
  ImportTableDescription,
  InputCompressionType,
  InputFormat,
  InputFormatOptions,
  S3BucketSource,
  TableCreationParameters,
} from '../../dynamodb/operation-types.js'
import type { Engine } from '../engine.js'
import { ServiceError } from '../errors.js'
import { tableArn } from '../tables/arns.js'
import { arnOfTransfer, parseTransferArn, transferResource } from './transfer-arns.js'
import { isInProgress, shownEndMs } from './transfer-register.js'

/** An import into a new table, in plain data: it is stored as JSON. */
export interface TableImport {
  readonly id: string
  readonly tableName: string
  readonly tableId: string
  readonly clientToken: string
  readonly startMs: number
  readonly source: S3BucketSource
  readonly format: InputFormat
  readonly formatOptions?: InputFormatOptions | undefined
  readonly compression: InputCompressionType
  readonly parameters: TableCreationParameters
  readonly outcome?: ImportOutcome | undefined
}

export interface ImportCounts {
  /** Uncompressed. */
  readonly processedBytes: number
  readonly processedItems: number
  readonly importedItems: number
  readonly errors: number
}

export interface ImportOutcome extends ImportCounts {
  readonly endMs: number
  readonly failure?: { readonly code: string; readonly message: string } | undefined
}

export const NOTHING_IMPORTED: ImportCounts = { processedBytes: 0, processedItems: 0, importedItems: 0, errors: 0 }

export function findImport(engine: Engine, arn: string): TableImport {
  const name = parseTransferArn(engine, 'import', arn)
  if (!name) throw new ServiceError('ImportNotFoundException', 'Import not found: Invalid import arn')
  const found = engine.imports.get(transferResource('import', name))
  if (!found) throw new ServiceError('ImportNotFoundException', `Import not found: Import not found: ${arn}`)
  return found
}

/** The import that an earlier request with this token started. Only another table is a conflict, as on DynamoDB. */
export function importOfToken(engine: Engine, token: string, tableName: string): TableImport | undefined {
  const { transitionMs } = engine.settings
  for (const found of engine.imports.values()) {
    if (found.clientToken !== token) continue
    const endMs = shownEndMs(found, transitionMs)
    if (endMs !== undefined && engine.now() >= endMs + TRANSFER_TOKEN_MS) continue
    if (found.tableName === tableName) return found
    throw new ServiceError(
      'ImportConflictException',
      'Import conflict: Duplicate request detected with conflicting parameters',
    )
  }
  return undefined
}

export function toImportDescription(engine: Engine, of: TableImport): ImportTableDescription {
  const { InputFormat, S3BucketSource, ...summary } = summarizeImport(engine, of)
  return {
    ...summary,
    TableId: of.tableId,
    ClientToken: of.clientToken,
    S3BucketSource,
    InputFormat,
    ...(of.formatOptions && { InputFormatOptions: structuredClone(of.formatOptions) }),
    InputCompressionType: of.compression,
    TableCreationParameters: structuredClone(of.parameters),
    ...describeOutcome(engine, of),
  }
}

/** As ListImports has it. */
export function summarizeImport(engine: Engine, of: TableImport): ImportSummary {
  const endMs = shownOutcome(engine, of) && shownEndMs(of, engine.settings.transitionMs)
  return {
    ImportArn: arnOfTransfer(engine, 'import', of),
    ImportStatus: statusOf(engine, of),
    TableArn: tableArn(engine, of.tableName),
    S3BucketSource: { S3BucketOwner: engine.accountId, ...of.source },
    InputFormat: of.format,
    StartTime: new Date(of.startMs),
    ...(endMs !== undefined && { EndTime: new Date(endMs) }),
  }
}

function statusOf(engine: Engine, of: TableImport) {
  const outcome = shownOutcome(engine, of)
  if (!outcome) return 'IN_PROGRESS' as const
  return outcome.failure ? ('FAILED' as const) : ('COMPLETED' as const)
}

function shownOutcome(engine: Engine, of: TableImport): ImportOutcome | undefined {
  return isInProgress(of, engine.settings.transitionMs, engine.now()) ? undefined : of.outcome
}

/** The counts stay zero until the import ends, as on DynamoDB. */
function describeOutcome(engine: Engine, of: TableImport): ImportTableDescription {
  const outcome = shownOutcome(engine, of)
  const { processedBytes, processedItems, importedItems, errors } = outcome ?? NOTHING_IMPORTED
  return {
    ...(outcome && { ProcessedSizeBytes: processedBytes }),
    ProcessedItemCount: processedItems,
    ImportedItemCount: importedItems,
    ErrorCount: errors,
    ...(outcome?.failure && { FailureCode: outcome.failure.code, FailureMessage: outcome.failure.message }),
  }
}
