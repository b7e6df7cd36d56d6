import { basename, dirname, join } from 'node:path'
import type { Item } from '../../dynamodb/attribute-value.js'
import { FormatError } from '../../dynamodb/export/format-error.js'
import { nextEventLoopTurn } from '../../store/event-loop-turn.js'
import type { Engine } from '../engine.js'
import { ServiceError } from '../errors.js'
import { parseWholeItem } from '../items/put-action.js'
import { executeWrite } from '../items/write-action.js'
import { checkIndexKeys } from '../keys/check-index-keys.js'
import { checkItemKey } from '../keys/check-key.js'
import { encodeKey } from '../keys/key-schema.js'
import type { Table } from '../tables/table.js'
import { removeTable } from '../tables/table-transition.js'
import type { Bucket } from './bucket.js'
import { errorsFile, ImportErrors, type ItemPointer } from './import-errors.js'
import { type ReadItem, readItems } from './import-items.js'
import { readObject } from './import-object.js'
import { SLICE_ITEMS } from './snapshot-reader.js'
import { type ImportOutcome, NOTHING_IMPORTED, type TableImport } from './table-import.js'
import { arnOfTransfer, transferResource } from './transfer-arns.js'
import { fileChecksum, manifestChecksums } from './verify-object.js'

export interface RunningImport {
  readonly import: TableImport
  readonly bucket: Bucket
  readonly exportsFolder: string
}

/** Imports the objects into the new table, step by step, and notes how it ended. */
export async function runImport(engine: Engine, running: RunningImport, signal: AbortSignal): Promise<void> {
  const { import: of } = running
  const run = new ImportRun(engine, running, signal)
  try {
    await end(engine, of, await run.importAll())
  } catch (error) {
    // After a stop the store is closed: the import shows as failed when it is opened again.
    signal.throwIfAborted()
    const failure = { code: 'InternalServerError', message: `the import failed: ${String(error)}` }
    await end(engine, of, { ...run.counts, endMs: Math.floor(engine.now()), failure })
  } finally {
    await run.errors.close()
  }
}

class ImportRun {
  counts = NOTHING_IMPORTED
  readonly errors: ImportErrors

  constructor(
    private readonly engine: Engine,
    private readonly running: RunningImport,
    private readonly signal: AbortSignal,
  ) {
    const { import: of, exportsFolder } = running
    this.errors = new ImportErrors(errorsFile(exportsFolder, of.id), arnOfTransfer(engine, 'import', of))
  }

  async importAll(): Promise<ImportOutcome> {
    const { import: of, bucket } = this.running
    if (!(await bucket.exists())) {
      const message = `The specified bucket does not exist; create the folder ${bucket.folder}`
      return this.outcome({ code: 'S3NoSuchBucket', message })
    }
    for (const key of await bucket.keys(of.source.S3KeyPrefix ?? '')) await this.importObject(key)
    if (this.counts.errors === 0) return this.outcome()
    return this.outcome({
      code: 'ItemValidationError',
      message: `Some of the items failed validation checks and were not imported. Please check ${this.errors.path} for more details.`,
    })
  }

  private outcome(failure?: ImportOutcome['failure']): ImportOutcome {
    return { ...this.counts, endMs: Math.floor(this.engine.now()), failure }
  }

  private async importObject(key: string): Promise<void> {
    const { import: of, bucket } = this.running
    const path = bucket.pathOf(key)
    const pointer = { bucket: of.source.S3Bucket, key, itemIndex: 0 }
    const damage = await damageOf(path)
    if (damage !== undefined) return this.addError(pointer, damage)
    let index = 0
    for await (const items of readItems(of, this.counted(readObject(path, of.compression))))
      for (let at = 0; at < items.length; at += SLICE_ITEMS) {
        const slice = items.slice(at, at + SLICE_ITEMS)
        await this.importSlice(slice, { ...pointer, itemIndex: index })
        index += slice.length
        await nextEventLoopTurn()
      }
  }

  private async *counted(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    for await (const chunk of chunks) {
      this.counts = { ...this.counts, processedBytes: this.counts.processedBytes + chunk.length }
      yield chunk
    }
  }

  private async importSlice(slice: readonly ReadItem[], first: ItemPointer): Promise<void> {
    this.signal.throwIfAborted()
    const { engine, running } = this
    const messages = await engine.keyValues.write(() => {
      const table = engine.tables.get(running.import.tableName)!
      return slice.map(read => ('item' in read ? putItem(table, read.item) : read.error.message))
    })
    for (const [at, message] of messages.entries())
      if (message !== undefined) await this.addError({ ...first, itemIndex: first.itemIndex + at }, message)
    const imported = messages.filter(message => message === undefined).length
    const { processedItems, importedItems } = this.counts
    this.counts = {
      ...this.counts,
      processedItems: processedItems + imported,
      importedItems: importedItems + imported,
    }
  }

  private async addError(pointer: ItemPointer, message: string): Promise<void> {
    await this.errors.add(pointer, message)
    const { processedItems, errors } = this.counts
    this.counts = { ...this.counts, processedItems: processedItems + 1, errors: errors + 1 }
  }
}

/** @returns Why the item cannot be in the table; undefined where it was put. */
function putItem(table: Table, item: Item): string | undefined {
  try {
    const after = parseWholeItem(item, 'current')
    checkItemKey(table.keys, after.item)
    checkIndexKeys(table, after.item)
    const key = encodeKey(table.keys, after.item)
    executeWrite({ table, key, before: table.space.get(key), after }, false)
    return undefined
  } catch (error) {
    if (error instanceof ServiceError) return error.message
    throw error
  }
}

/** The damage to a data file of an export, according to the manifest next to its folder. */
async function damageOf(path: string): Promise<string | undefined> {
  if (basename(dirname(path)) !== 'data') return undefined
  try {
    const checksum = (await manifestChecksums(join(dirname(path), '..', 'manifest-files.json'))).get(basename(path))
    if (checksum === undefined || checksum === (await fileChecksum(path))) return undefined
    return 'the object does not have the checksum of the manifest of its export; copy it again'
  } catch (error) {
    if (error instanceof FormatError) return error.message
    throw error
  }
}

/** Notes the outcome, and activates the table. Without a bucket the table is removed, as on DynamoDB. */
async function end(engine: Engine, of: TableImport, outcome: ImportOutcome): Promise<void> {
  await engine.keyValues.write(() => {
    engine.imports.set(transferResource('import', of), { ...of, outcome })
    const table = engine.tables.get(of.tableName)
    if (!table || table.description.TableId !== of.tableId) return
    if (outcome.failure && outcome.failure.code !== 'ItemValidationError') removeTable(engine, table)
    else activate(engine, table, of.startMs + engine.settings.transitionMs)
  })
}

/** A table is being created for as long as other transitions take, also if its import was faster. */
function activate(engine: Engine, table: Table, untilMs: number): void {
  const isOver = untilMs <= engine.now()
  table.transition = isOver || !table.transition ? undefined : { ...table.transition, untilMs }
}

/** Imports that were in progress when the process ended have failed, and their tables are removed. */
export function failInterruptedImports(engine: Engine): void {
  for (const [resource, of] of [...engine.imports]) {
    if (of.outcome) continue
    const message = 'the process ended during the import, and the table was removed; import it again'
    const outcome = { ...NOTHING_IMPORTED, endMs: Math.floor(engine.now()), failure: { code: 'Interrupted', message } }
    engine.imports.set(resource, { ...of, outcome })
    const table = engine.tables.get(of.tableName)
    if (table?.description.TableId === of.tableId) removeTable(engine, table)
  }
}
