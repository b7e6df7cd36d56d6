import { IMPORTS_AT_ONCE } from '../../../dynamodb/limits.js'
import type { CreateTableInput, ImportTableInput, ImportTableOutput } from '../../../dynamodb/operation-types.js'
import type { Engine } from '../../engine.js'
import { inUseError, limitExceededError } from '../../errors.js'
import { settleTable } from '../../tables/table-transition.js'
import { Bucket, exportsFolder } from '../../transfers/bucket.js'
import { type RunningImport, runImport } from '../../transfers/run-import.js'
import { importOfToken, type TableImport, toImportDescription } from '../../transfers/table-import.js'
import { newTransferId, transferResource } from '../../transfers/transfer-arns.js'
import { isInProgress } from '../../transfers/transfer-register.js'
import { createTable } from '../tables/create-table.js'
import { validateImport } from './import-table.validation.js'

/** Resolves when the creation of the table has started. The items are imported in the background. */
export async function importTable(engine: Engine, input: ImportTableInput): Promise<ImportTableOutput> {
  // The caller may change the request before the write runs.
  const request = structuredClone(input)
  const definition = validateImport(request)
  const { started, output } = await engine.keyValues.write(() => startImport(engine, request, definition))
  if (started) engine.jobs.start(signal => runImport(engine, started, signal))
  return output
}

interface StartedImport {
  readonly output: ImportTableOutput
  /** Absent if an earlier request with the same token started the import. */
  readonly started?: RunningImport
}

function startImport(engine: Engine, request: ImportTableInput, definition: CreateTableInput): StartedImport {
  const tableName = definition.TableName
  const { ClientToken: token } = request
  assertNotActive(engine, tableName)
  const earlier = token === undefined ? undefined : importOfToken(engine, token, tableName)
  if (earlier) return { output: { ImportTableDescription: toImportDescription(engine, earlier) } }
  const folder = exportsFolder(engine, 'ImportTable')
  assertBelowLimit(engine)
  const startMs = Math.floor(engine.now())
  const newImport: TableImport = {
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
  engine.imports.set(transferResource('import', newImport), newImport)
  const bucket = new Bucket(folder, request.S3BucketSource.S3Bucket)
  return {
    output: { ImportTableDescription: toImportDescription(engine, newImport) },
    started: { import: newImport, bucket, exportsFolder: folder },
  }
}

/** Rejects an existing table before it compares tokens, as DynamoDB does. */
function assertNotActive(engine: Engine, tableName: string): void {
  const existing = engine.tables.get(tableName)
  if (existing && settleTable(engine, existing) && !isBeingImported(engine, tableName))
    throw inUseError(`Table already exists: ${tableName}`)
}

function isBeingImported(engine: Engine, name: string): boolean {
  return [...engine.imports.values()].some(({ tableName, outcome }) => tableName === name && !outcome)
}

function assertBelowLimit(engine: Engine): void {
  const { transitionMs } = engine.settings
  const running = [...engine.imports.values()].filter(each => isInProgress(each, transitionMs, engine.now()))
  if (running.length >= IMPORTS_AT_ONCE)
    throw limitExceededError(
      `Subscriber limit exceeded: Only ${IMPORTS_AT_ONCE} imports can be in progress simultaneously`,
    )
}

/** Creates the table. Its status is CREATING until the import ends. */
function createTableToImport(engine: Engine, definition: CreateTableInput): string {
  const { TableDescription: shown } = createTable(engine, definition)
  const table = engine.tables.get(definition.TableName)!
  table.transition = {
    status: 'CREATING',
    // JSON has no infinity, so the time is the largest number.
    untilMs: Number.MAX_SAFE_INTEGER,
    shown: table.transition?.shown ?? structuredClone(shown!),
  }
  return table.description.TableId!
}
