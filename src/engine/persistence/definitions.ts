import type { Backup } from '../backups/backup.js'
import { resourceOf } from '../backups/backup.js'
import { resumeRecovery } from '../backups/recovery.js'
import type { Engine } from '../engine.js'
import { nameOfStream, resumeStream, type StreamDefinition } from '../streams/register.js'
import type { Stream } from '../streams/stream.js'
import { rebuildTable, type TableDefinition } from '../tables/build.js'
import { resumeExpiry } from '../tables/expiry.js'
import type { Table } from '../tables/table.js'
import { Kept, type PartsOf } from './kept.js'

interface KeptTable extends TableDefinition {
  readonly expiryAttribute: string | undefined
}

type Count = readonly [itemCount: number, sizeBytes: number]

/** How much a table and its indexes hold, which changes with every write and is kept apart. */
interface KeptCounts {
  readonly name: string
  readonly counts: readonly Count[]
  /** Of vector indexes, by name. A folder from before they were filled has none, and so they are. */
  readonly vectors?: Readonly<Record<string, Count>>
}

/** Keeps on disk what an engine otherwise has in objects: tables, streams, and backups. */
export class Definitions {
  private readonly tables: Kept<Table>
  private readonly counts: Kept<Table>
  private readonly streams: Kept<Stream>
  private readonly backups: Kept<Backup>
  /** The changes of the register of backups that are on disk. */
  private keptChanges = 0
  /** How many shards of each stream have been made. */
  private readonly shards = new WeakMap<Stream, number>()

  constructor(private readonly engine: Engine) {
    const space = (name: string) => engine.keyValues.space(name)
    this.tables = new Kept(space('tables'), tableParts, keptTable)
    this.counts = new Kept(space('counts'), countParts, keptCounts)
    this.streams = new Kept(space('streams'), streamParts, keptStream)
    this.backups = new Kept(
      space('backups'),
      (backup, see) => see(backup),
      backup => backup,
    )
  }

  /** Within a write. Answers whether readers would see what it changed without what it wrote. */
  save(): boolean {
    const { tables, streams } = this.engine
    const given = tables.takeGiven()
    const isTableChanged = this.tables.save(tables, given)
    this.counts.save(tables, given)
    // A table is given out together with its stream.
    const theirs = given.flatMap(([, { stream }]) => (stream ? [[nameOfStream(stream), stream] as const] : []))
    const givenStreams = new Map([...streams.takeGiven(), ...theirs])
    this.streams.save(streams, givenStreams)
    this.saveBackups()
    const isShardMade = this.noteShards(givenStreams.values())
    return isTableChanged || isShardMade
  }

  /** Answers whether any was made: one is where another is closed. Whole streams come and go with a change of their table. */
  private noteShards(streams: Iterable<Stream>): boolean {
    let isMade = false
    for (const stream of streams) {
      const { ordinal } = stream.state
      isMade ||= this.shards.get(stream) !== ordinal
      this.shards.set(stream, ordinal)
    }
    return isMade
  }

  /** A backup is never another; there may be many, and every write comes by here. */
  private saveBackups(): void {
    const { backups } = this.engine
    if (backups.changes === this.keptChanges) return
    this.backups.save(backups, backups)
    this.keptChanges = backups.changes
  }

  /** Takes the engine to what is on disk. */
  load(): void {
    const { engine } = this
    engine.tables.clear()
    engine.streams.clear()
    engine.backups.clear()
    engine.agenda.clear()
    this.tables.load(definition => {
      const { expiryAttribute, ...rest } = definition as KeptTable
      const table = rebuildTable(engine, rest)
      engine.tables.set(table.name, table)
      if (expiryAttribute !== undefined) resumeExpiry(engine, table, expiryAttribute)
    })
    this.counts.load(definition => restoreCounts(engine, definition as KeptCounts))
    this.streams.load(definition => resumeStream(engine, definition as StreamDefinition))
    this.backups.load(definition => {
      const backup = definition as Backup
      engine.backups.set(resourceOf(backup.source.description.TableName!, backup.id), backup)
    })
    this.tables.mark(engine.tables)
    this.counts.mark(engine.tables)
    this.streams.mark(engine.streams)
    this.backups.mark(engine.backups)
    this.keptChanges = engine.backups.changes
    this.noteShards(engine.streams.values())
    // What begins only now is written with whatever is written next.
    for (const table of engine.tables.values()) resumeRecovery(engine, table)
  }
}

/** Whatever changes a table's definition puts another object in the place of one of these. */
const tableParts: PartsOf<Table> = (table, see) =>
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

function keptTable(table: Table): KeptTable {
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

const countParts: PartsOf<Table> = (table, see) => {
  if (!see(table.itemCount) || !see(table.sizeBytes)) return false
  for (const index of table.indexes) if (!see(index.itemCount) || !see(index.sizeBytes)) return false
  for (const index of table.vectorIndexes)
    if (!see(index.isFilled) || !see(index.itemCount) || !see(index.sizeBytes)) return false
  return true
}

function keptCounts(table: Table): KeptCounts {
  const filled = table.vectorIndexes.filter(index => index.isFilled)
  return {
    name: table.name,
    counts: [table, ...table.indexes].map(of => [of.itemCount, of.sizeBytes] as const),
    vectors: Object.fromEntries(filled.map(({ name, itemCount, sizeBytes }) => [name, [itemCount, sizeBytes]])),
  }
}

function restoreCounts(engine: Engine, { name, counts, vectors = {} }: KeptCounts): void {
  const table = engine.tables.get(name)
  if (!table) return
  for (const [i, of] of [table, ...table.indexes].entries()) [of.itemCount, of.sizeBytes] = counts[i] ?? [0, 0]
  for (const index of table.vectorIndexes) {
    const count = Object.hasOwn(vectors, index.name) ? vectors[index.name] : undefined
    index.isFilled = count !== undefined
    if (count) [index.itemCount, index.sizeBytes] = count
    else engine.agenda.add(0)
  }
}

const streamParts: PartsOf<Stream> = ({ state }, see) =>
  see(state.last) && see(state.trimmedMs) && see(state.disabledMs) && see(state.tags) && see(state.policy)

function keptStream({ table, label, view, state }: Stream): StreamDefinition {
  return { table, label, view, state }
}
