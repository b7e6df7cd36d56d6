import { rm } from 'node:fs/promises'
import { changeLine, itemLine } from '../../dynamodb/export/lines.js'
import { nextEventLoopTurn } from '../../store/event-loop-turn.js'
import type { Engine } from '../engine.js'
import { pickKey } from '../keys/key-schema.js'
import type { Table } from '../tables/table.js'
import { settleTable } from '../tables/table-transition.js'
import type { StoredItem } from '../values/stored-item.js'
import type { Bucket } from './bucket.js'
import { type ChangedRow, ChangesReader } from './changes-reader.js'
import { DataFiles, removeDataFiles } from './data-files.js'
import type { ExportFilter } from './export-filter.js'
import { writeManifests, writeStarted } from './manifests.js'
import { type SliceReader, SnapshotReader } from './snapshot-reader.js'
import { type ExportOutcome, exportKey, sharedKey, type TableExport } from './table-export.js'
import { transferResource } from './transfer-arns.js'

/** A started export, with the state that only this process has. */
export interface RunningExport {
  readonly export: TableExport
  readonly bucket: Bucket
  readonly filter: ExportFilter
  /** Where in the log the changes after its moment begin. */
  readonly position: string
  /** Since when the log has every change. */
  readonly sinceMs: number
}

/** Why an export failed, for its description. */
class ExportFailure extends Error {
  constructor(
    readonly code: string,
    message: string,
  ) {
    super(message)
  }
}

/** Exports a table to its bucket, step by step, and notes how it ended. */
export async function runExport(engine: Engine, running: RunningExport, signal: AbortSignal): Promise<void> {
  const { export: of } = running
  const files = new DataFiles(running.bucket, dataFolderKey(of), of.id, of.format)
  try {
    await writeStarted(running.bucket, of)
    const counts = await exportRows(engine, running, files, signal)
    await files.close()
    const endMs = Math.max(Math.floor(engine.now()), of.startMs + engine.settings.transitionMs)
    const outcome: ExportOutcome = { status: 'COMPLETED', endMs, ...counts }
    await writeManifests(engine, running.bucket, of, outcome, files.entries)
    await end(engine, of, outcome)
  } catch (error) {
    await files.discard().catch(() => {})
    // After a stop the store is closed: the export shows as failed when it is opened again.
    signal.throwIfAborted()
    await end(engine, of, failureOf(engine, error))
  }
}

function failureOf(engine: Engine, error: unknown): ExportOutcome {
  const endMs = Math.floor(engine.now())
  if (error instanceof ExportFailure) return { status: 'FAILED', endMs, code: error.code, message: error.message }
  return { status: 'FAILED', endMs, code: 'InternalServerError', message: `the export failed: ${String(error)}` }
}

const dataFolderKey = (of: TableExport) => (of.period ? `${sharedKey(of.prefix)}data/` : `${exportKey(of)}data/`)
const spaceName = ({ id }: TableExport) => `export/${id}`

interface Counts {
  readonly itemCount: number
  readonly sizeBytes: number
}

async function exportRows(
  engine: Engine,
  running: RunningExport,
  files: DataFiles,
  signal: AbortSignal,
): Promise<Counts> {
  const { export: of, filter } = running
  const space = engine.keyValues.space(spaceName(of))
  const counts = { itemCount: 0, sizeBytes: 0 }
  if (of.period) {
    const reader = new ChangesReader(space, of.period.fromMs, of.period.toMs, filter)
    await readAll(engine, running, { reader, signal }, async (rows, table) => {
      await files.write(rows.map(row => lineOfChange(of, filter, table, row)).join(''), rows.length)
      counts.itemCount += rows.length
      for (const { before, after } of rows) counts.sizeBytes += Math.max(before?.sizeBytes ?? 0, after?.sizeBytes ?? 0)
    })
    return counts
  }
  await readAll(
    engine,
    running,
    { reader: new SnapshotReader(space, running.position, filter), signal },
    async rows => {
      await files.write(rows.map(row => lineOfItem(of, filter, row)).join(''), rows.length)
      counts.itemCount += rows.length
      for (const { sizeBytes } of rows) counts.sizeBytes += sizeBytes
    },
  )
  return counts
}

const lineOfItem = (of: TableExport, filter: ExportFilter, { item, hasBinary }: StoredItem) =>
  itemLine(filter.project(item), of.format, hasBinary)

function lineOfChange(of: TableExport, filter: ExportFilter, { keys }: Table, row: ChangedRow): string {
  const { image, before, after, writtenMs } = row
  const change = {
    keys: pickKey(keys, image.item),
    writtenMicros: writtenMs * 1000,
    oldImage: of.period!.view === 'NEW_AND_OLD_IMAGES' && before ? filter.project(before.item) : undefined,
    newImage: after && filter.project(after.item),
  }
  return changeLine(change, of.format)
}

interface Reading<Row> {
  readonly reader: SliceReader<Row>
  readonly signal: AbortSignal
}

/** Reads slice by slice; other calls of the process run between. */
async function readAll<Row>(
  engine: Engine,
  running: RunningExport,
  { reader, signal }: Reading<Row>,
  take: (rows: readonly Row[], table: Table) => Promise<void>,
): Promise<void> {
  for (;;) {
    signal.throwIfAborted()
    const read = await engine.keyValues.write(() => {
      const table = exportedTable(engine, running, reader.isCaughtUp)
      return typeof table === 'string' ? table : { table, slice: reader.next(table, table.recovery!) }
    })
    if (typeof read === 'string') throw new ExportFailure('PointInTimeRecoveryUnavailable', read)
    const { table, slice } = read
    if (slice.rows.length > 0) await take(slice.rows, table)
    if (slice.isLast) return
    await nextEventLoopTurn()
  }
}

/** The exported table, or the reason why its export cannot continue. A failed write replaces all table objects. */
function exportedTable(engine: Engine, running: RunningExport, isCaughtUp: boolean): Table | string {
  const { export: of, sinceMs } = running
  const { tableName, tableId, exportMs, period } = of
  const table = engine.tables.get(tableName)
  if (!table || table.description.TableId !== tableId || !settleTable(engine, table) || table.transition)
    return `table '${tableName}' was deleted while it was exported; export a table that is not deleted during the export`
  const { pointInTimeRecovery: recovery } = table
  if (!table.recovery || !recovery)
    return `point-in-time recovery of table '${tableName}' was disabled during the export; enable it and export again`
  const neededMs = period?.fromMs ?? exportMs!
  if (!isCaughtUp && recovery.sinceMs > Math.max(sinceMs, neededMs))
    return `changes of table '${tableName}' since ${new Date(neededMs).toISOString()} are older than the recovery period; export a later time`
  return table
}

/** Notes the outcome. The outcome is recorded even if the table was deleted meanwhile. */
async function end(engine: Engine, of: TableExport, outcome: ExportOutcome): Promise<void> {
  await engine.keyValues.write(() => {
    engine.exports.set(transferResource('export', of), { ...of, outcome })
    engine.keyValues.drop(spaceName(of))
  })
}

/** Exports that were in progress when the process ended have failed. */
export function failInterruptedExports(engine: Engine, bucketOf: (name: string) => Bucket | undefined): void {
  for (const [resource, of] of [...engine.exports]) {
    if (of.outcome) continue
    const message = 'the process ended during the export; export the table again'
    const endMs = Math.floor(engine.now())
    engine.exports.set(resource, { ...of, outcome: { status: 'FAILED', endMs, code: 'Interrupted', message } })
    engine.keyValues.drop(spaceName(of))
    const bucket = bucketOf(of.bucket)
    if (bucket) engine.jobs.start(() => removeFiles(bucket, of))
  }
}

async function removeFiles(bucket: Bucket, of: TableExport): Promise<void> {
  await removeDataFiles(bucket, dataFolderKey(of), of.id, of.format)
  for (const name of ['manifest-files.json', 'manifest-files.md5', 'manifest-summary.json', 'manifest-summary.md5'])
    await rm(bucket.pathOf(exportKey(of) + name), { force: true }).catch(() => {})
}
