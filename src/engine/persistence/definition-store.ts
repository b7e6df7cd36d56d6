import type { Backup } from '../backups/backup.js'
import { backupResourceOf } from '../backups/backup.js'
import { resumeRecovery } from '../backups/recovery-log.js'
import type { Engine } from '../engine.js'
import type { Stream } from '../streams/stream.js'
import { resumeStream, type StreamDefinition, streamResourceOf } from '../streams/stream-register.js'
import { rebuildTable, type TableDefinition } from '../tables/build-table.js'
import { resumeExpiry } from '../tables/item-expiry.js'
import type { Table } from '../tables/table.js'
import type { TableExport } from '../transfers/table-export.js'
import type { TableImport } from '../transfers/table-import.js'
import { transferResource } from '../transfers/transfer-arns.js'
import { DefinitionSpace, type VisitParts } from './definition-space.js'

interface StoredTable extends TableDefinition {
  readonly expiryAttribute: string | undefined
}

type StoredCount = readonly [itemCount: number, sizeBytes: number]

/**
 * The item counts and sizes of a table and its indexes. They change with every write, so they are stored separately.
 */
interface StoredCounts {
  readonly name: string
  readonly counts: readonly StoredCount[]
  /** The counts of vector indexes by name. Older folders do not have them, so these indexes are filled again. */
  readonly vectors?: Readonly<Record<string, StoredCount>>
}

/** Stores tables, streams, backups, exports and imports on disk, which an engine otherwise keeps as objects. */
export class DefinitionStore {
  private readonly tables: DefinitionSpace<Table>
  private readonly counts: DefinitionSpace<Table>
  private readonly streams: DefinitionSpace<Stream>
  private readonly backups: DefinitionSpace<Backup>
  private readonly exports: DefinitionSpace<TableExport>
  private readonly imports: DefinitionSpace<TableImport>
  /** The change count of the registers of backups, exports and imports at their last save. */
  private savedChangeCount = 0
  /** The number of shards that each stream has created. */
  private readonly shardCounts = new WeakMap<Stream, number>()

  constructor(private readonly engine: Engine) {
    const space = (name: string) => engine.keyValues.space(name)
    this.tables = new DefinitionSpace(space('tables'), visitTableParts, toStoredTable)
    this.counts = new DefinitionSpace(space('counts'), visitCountParts, toStoredCounts)
    this.streams = new DefinitionSpace(space('streams'), visitStreamParts, toStoredStream)
    this.backups = new DefinitionSpace(space('backups'), itself, backup => backup)
    this.exports = new DefinitionSpace(space('exports'), itself, of => of)
    this.imports = new DefinitionSpace(space('imports'), itself, of => of)
  }

  /**
   * Saves all changes. Must run within a write. Returns whether readers must wait, because they would see the changes
   * without the written data.
   */
  save(): boolean {
    const { tables, streams } = this.engine
    const accessedTables = tables.takeAccessed()
    const isTableChanged = this.tables.save(tables, accessedTables)
    this.counts.save(tables, accessedTables)
    // Access to a table gives access to its stream.
    const accessedTableStreams = accessedTables.flatMap(([, { stream }]) =>
      stream ? [[streamResourceOf(stream), stream] as const] : [],
    )
    const accessedStreams = new Map([...streams.takeAccessed(), ...accessedTableStreams])
    this.streams.save(streams, accessedStreams)
    this.saveUnchanging()
    const isShardMade = this.noteShards(accessedStreams.values())
    return isTableChanged || isShardMade
  }

  /**
   * Returns whether a shard was created. A shard is created when another closes. Whole streams are created and removed
   * with a change of their table.
   */
  private noteShards(streams: Iterable<Stream>): boolean {
    let isMade = false
    for (const stream of streams) {
      const { ordinal } = stream.state
      isMade ||= this.shardCounts.get(stream) !== ordinal
      this.shardCounts.set(stream, ordinal)
    }
    return isMade
  }

  /** Backups, exports and imports rarely change and may be many, so a write compares only the change count. */
  private saveUnchanging(): void {
    const { backups, exports, imports } = this.engine
    if (this.changes() === this.savedChangeCount) return
    this.backups.save(backups, backups)
    this.exports.save(exports, exports)
    this.imports.save(imports, imports)
    this.savedChangeCount = this.changes()
  }

  private changes(): number {
    const { backups, exports, imports } = this.engine
    return backups.changeCount + exports.changes + imports.changes
  }

  /** Replaces the state of the engine by the stored one. */
  load(): void {
    const { engine } = this
    engine.tables.clear()
    engine.streams.clear()
    engine.backups.clear()
    engine.exports.clear()
    engine.imports.clear()
    engine.schedule.clear()
    this.tables.load(definition => {
      const { expiryAttribute, ...rest } = definition as StoredTable
      const table = rebuildTable(engine, rest)
      engine.tables.set(table.name, table)
      if (expiryAttribute !== undefined) resumeExpiry(engine, table, expiryAttribute)
    })
    this.counts.load(definition => restoreCounts(engine, definition as StoredCounts))
    this.streams.load(definition => resumeStream(engine, definition as StreamDefinition))
    this.backups.load(definition => {
      const backup = definition as Backup
      engine.backups.set(backupResourceOf(backup.source.description.TableName!, backup.id), backup)
    })
    this.loadTransfers()
    this.tables.markAllSaved(engine.tables)
    this.counts.markAllSaved(engine.tables)
    this.streams.markAllSaved(engine.streams)
    this.backups.markAllSaved(engine.backups)
    this.savedChangeCount = this.changes()
    this.noteShards(engine.streams.values())
    // A log that starts now is stored with the next write.
    for (const table of engine.tables.values()) resumeRecovery(engine, table)
  }

  private loadTransfers(): void {
    const { exports, imports } = this.engine
    this.exports.load(definition => {
      const of = definition as TableExport
      exports.set(transferResource('export', of), of)
    })
    this.imports.load(definition => {
      const of = definition as TableImport
      imports.set(transferResource('import', of), of)
    })
    this.exports.markAllSaved(exports)
    this.imports.markAllSaved(imports)
  }
}

/** A definition that never changes in place. */
const itself = <Entity>(entity: Entity, see: (part: unknown) => boolean) => see(entity)

/** Every change of a table's definition replaces one of these objects. */
const visitTableParts: VisitParts<Table> = (table, see) =>
  see(table.description) &&
  see(table.indexes) &&
  see(table.vectorIndexes) &&
  see(table.expiry) &&
  see(table.transition) &&
  see(table.underWay) &&
  see(table.changeTimes) &&
  see(table.tags) &&
  see(table.pointInTimeRecovery) &&
  see(table.policy) &&
  see(table.insights)

function toStoredTable(table: Table): StoredTable {
  const { name, description, transition, underWay, changeTimes, tags, pointInTimeRecovery, policy, insights } = table
  return {
    name,
    description,
    transition,
    underWay,
    changeTimes,
    tags,
    pointInTimeRecovery,
    policy,
    insights,
    added: table.indexes.filter(index => index.addedLater).map(index => index.name),
    expiryAttribute: table.expiry?.attributeName,
  }
}

const visitCountParts: VisitParts<Table> = (table, see) => {
  if (!see(table.itemCount) || !see(table.sizeBytes)) return false
  for (const index of table.indexes) if (!see(index.itemCount) || !see(index.sizeBytes)) return false
  for (const index of table.vectorIndexes)
    if (!see(index.isFilled) || !see(index.itemCount) || !see(index.sizeBytes)) return false
  return true
}

function toStoredCounts(table: Table): StoredCounts {
  const filled = table.vectorIndexes.filter(index => index.isFilled)
  return {
    name: table.name,
    counts: [table, ...table.indexes].map(counted => [counted.itemCount, counted.sizeBytes] as const),
    vectors: Object.fromEntries(filled.map(({ name, itemCount, sizeBytes }) => [name, [itemCount, sizeBytes]])),
  }
}

function restoreCounts(engine: Engine, { name, counts, vectors = {} }: StoredCounts): void {
  const table = engine.tables.get(name)
  if (!table) return
  for (const [i, counted] of [table, ...table.indexes].entries())
    [counted.itemCount, counted.sizeBytes] = counts[i] ?? [0, 0]
  for (const index of table.vectorIndexes) {
    const count = Object.hasOwn(vectors, index.name) ? vectors[index.name] : undefined
    index.isFilled = count !== undefined
    if (count) [index.itemCount, index.sizeBytes] = count
    else engine.schedule.add(0)
  }
}

const visitStreamParts: VisitParts<Stream> = ({ state }, see) =>
  see(state.last) && see(state.trimmedMs) && see(state.disabledMs) && see(state.tags) && see(state.policy)

function toStoredStream({ table, label, view, state }: Stream): StreamDefinition {
  return { table, label, view, state }
}
