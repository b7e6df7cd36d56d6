import { IMPORTS_AT_ONCE } from '../../../dynamodb/limits.js'
import type { ImportTableInput, ImportTableOutput } from '../../../dynamodb/operations/imports.js'
import type { CreateTableInput } from '../../../dynamodb/operations/tables.js'
import type { Engine } from '../../engine.js'
import { inUseError, limitExceededError } from '../../errors.js'
import { settleTable } from '../../tables/table-transition.js'
import { Bucket, exportsFolder } from '../../transfers/bucket.js'
import { type RunningImport, runImport } from '../../transfers/run-import.js'
import { describeImport, importOfToken, type TableImport } from '../../transfers/table-import.js'
import { newTransferId, transferResource } from '../../transfers/transfer-arns.js'
import { isInProgress } from '../../transfers/transfer-register.js'
import { createTable } from '../tables/create-table.js'
import { validateImport } from './import-table.validation.js'

/** The answer comes when the table is being created; its items are imported in the background. */
export async function importTable(engine: Engine, given: ImportTableInput): Promise<ImportTableOutput> {
  // The caller may change the request before the write runs.
  const request = structuredClone(given)
  const definition = validateImport(request)
  const { started, answer } = await engine.keyValues.write(() => startImport(engine, request, definition))
  if (started) engine.jobs.start(signal => runImport(engine, started, signal))
  return answer
}

interface Started {
  readonly answer: ImportTableOutput
  /** Absent where an earlier request with the same token started it. */
  readonly started?: RunningImport
}

function startImport(engine: Engine, request: ImportTableInput, definition: CreateTableInput): Started {
  const tableName = definition.TableName
  const { ClientToken: token } = request
  refuseActive(engine, tableName)
  const earlier = token === undefined ? undefined : importOfToken(engine, token, tableName)
  if (earlier) return { answer: { ImportTableDescription: describeImport(engine, earlier) } }
  const folder = exportsFolder(engine, 'ImportTable')
  refuseTooMany(engine)
  const startMs = Math.floor(engine.now())
  const made: TableImport = {
    id: newTransferId(startMs, id => engine.imports.has(transferResource('import', { tableName, id }))),
    tableName,
    tableId: createTableToImport(engine, definition),
    clientToken: token ?? crypto.randomUUID(),
    startMs,
    source: request.S3BucketSource,
    format: request.InputFormat,
    formatOptions: request.InputFormatOptions,
    compression: request.InputCompressionType ?? 'NONE',
    parameters: request.TableCreationParameters,
  }
  engine.imports.set(transferResource('import', made), made)
  const bucket = new Bucket(folder, request.S3BucketSource.S3Bucket)
  return {
    answer: { ImportTableDescription: describeImport(engine, made) },
    started: { import: made, bucket, exportsFolder: folder },
  }
}

/** A token is looked at only as long as its table is not there, as on DynamoDB. */
function refuseActive(engine: Engine, tableName: string): void {
  const existing = engine.tables.get(tableName)
  if (existing && settleTable(engine, existing) && !isBeingImported(engine, tableName))
    throw inUseError(`Table already exists: ${tableName}`)
}

function isBeingImported(engine: Engine, name: string): boolean {
  return [...engine.imports.values()].some(({ tableName, outcome }) => tableName === name && !outcome)
}

function refuseTooMany(engine: Engine): void {
  const { transitionMs } = engine.settings
  const running = [...engine.imports.values()].filter(each => isInProgress(each, transitionMs, engine.now()))
  if (running.length >= IMPORTS_AT_ONCE)
    throw limitExceededError(
      `Subscriber limit exceeded: Only ${IMPORTS_AT_ONCE} imports can be in progress simultaneously`,
    )
}

/** Creates the table, which shows that it is being created until the import ends. */
function createTableToImport(engine: Engine, definition: CreateTableInput): string {
  const { TableDescription: shown } = createTable(engine, definition)
  const table = engine.tables.get(definition.TableName)!
  table.transition = {
    status: 'CREATING',
    // Any later time would do; JSON has no infinity.
    untilMs: Number.MAX_SAFE_INTEGER,
    shown: table.transition?.shown ?? structuredClone(shown!),
  }
  return table.description.TableId!
}
