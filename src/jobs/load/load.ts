import { assertArgument, assertChoice, assertInteger, parseWorkOptions } from '../../graph/arguments.js'
import type { Context } from '../../graph/context.js'
import { contextOf } from '../../graph/open.js'
import { RequestSender } from '../../graph/run/request-sender.js'
import type { Layout } from '../../layout/layout.js'
import { tableKeyOf, uniqueKeyTextOf } from '../../plan/identity.js'
import type { Plan } from '../../plan/plan.js'
import { traitsOf } from '../../plan/type-traits.js'
import { planCreate, planPut } from '../../plan/write/operations.js'
import { formatValue } from '../../schema/checks/assertions.js'
import { GraphError } from '../../schema/error.js'
import type { AbortSignalLike } from '../../store/abort-signal.js'
import { nextEventLoopTurn } from '../../store/event-loop-turn.js'
import { yieldToEventLoop } from '../yield-to-event-loop.js'
import { type LoadSeed, newSeed, withDefaults } from './default-values.js'
import { createReader, readSourceRows } from './read-source.js'
import type { LoadSource, SourceRow } from './source.js'
import { createRowWrite, type RowWrite, writeRound } from './write-round.js'

/** The position of a load, to resume it. Plain data that can be stored as JSON. */
export interface LoadCursor extends LoadCounts {
  /** Nodes are loaded in the first pass and edges in the second, if edges need their nodes. */
  readonly pass: number
  readonly passes: number
  /** The index of the source, with the offset in bytes and the number of lines before it. */
  readonly source: number
  readonly offset: number
  readonly lines: number
  readonly seed: LoadSeed
}

/** The results of a load. */
export interface LoadCounts {
  /** number of rows that were written */
  readonly written: number
  /** number of rows that existed and were left alone */
  readonly skipped: number
  /** number of rows that were rejected */
  readonly failed: number
  /** consumed capacity units */
  readonly units: number
}

/** A row that was not loaded. */
export interface FailedRow {
  readonly source: string
  readonly line: number
  readonly code: string
  readonly message: string
  /** The text of the row in the source. */
  readonly text: string
}

/** Options of `load()`. */
export interface LoadOptions {
  /** Cursor of an earlier load, to resume it. */
  readonly from?: LoadCursor | undefined
  /** Whether an existing node or edge is replaced or left. Default: `replace`. */
  readonly existing?: 'replace' | 'leave' | undefined
  /** Tenant of rows that do not specify theirs. */
  readonly tenant?: string | undefined
  /**
   * Number of concurrent requests. Default: 16, and 256 on an embedded store, where concurrent writes share a flush.
   */
  readonly concurrency?: number | undefined
  /** Stops the load after the current round. The last reported cursor resumes it. */
  readonly signal?: AbortSignalLike | undefined
  /** Called with the rows that were not loaded, before the progress that counts them. */
  readonly failed?: ((rows: readonly FailedRow[]) => void | Promise<void>) | undefined
  /** Called before the first round and after every round. All rows before the cursor are loaded. */
  readonly progress?: ((place: LoadCursor) => void | Promise<void>) | undefined
}

/**
 * Loads rows as nodes and edges, with the writes of the graph. Loading a row twice has the same result as loading it
 * once, so an interrupted load can resume at its last cursor.
 *
 * @param graph The opened graph.
 * @param sources The files to load.
 * @returns The numbers of rows, and the consumed capacity.
 * @throws {call.argument} An option or a source is invalid.
 * @throws {load.input} A source cannot be read.
 * @example
 * ```ts
 * import { Readable } from 'node:stream'
 * import { graph, node, open, string } from 'edgewise'
 * import { memory } from 'edgewise/engine'
 * import { load } from 'edgewise/jobs'
 *
 * const user = node('user', { name: string() }, { id: 'name' })
 * const opened = await open(graph('social', [user]), memory())
 * const bytes = new TextEncoder().encode('{"type":"user","name":"Ann"}\n')
 * const rows = { name: 'rows', format: 'json', open: (start: number) => Readable.from([bytes.slice(start)]) } as const
 * const { written, failed } = await load(opened, [rows])
 * ```
 */
export async function load(
  graph: object,
  sources: readonly LoadSource[],
  options: LoadOptions = {},
): Promise<LoadCounts> {
  assertArgument(
    Array.isArray(sources) && sources.every(source => typeof source?.open === 'function'),
    "load(): the sources are not an array of sources; give one, as in [{ name: 'rows', format: 'json', open: start => createReadStream(path, { start }) }].",
  )
  for (const { name, format, separator = ',' } of sources) {
    assertArgument(
      FORMATS.includes(format),
      `${name}: ${formatValue(format)} is not a format; use 'json', 'csv', 'dynamodb' or 'ion'.`,
    )
    assertArgument(
      SEPARATOR.test(separator),
      `${name}: the separator is not one character; give one, such as ';' or a tab.`,
    )
  }
  parseWorkOptions('load', options, 'from, existing, tenant, concurrency, signal, failed, progress', 'failed, progress')
  return new Load(contextOf(graph), sources, options).run()
}

const FORMATS: readonly LoadSource['format'][] = ['json', 'csv', 'dynamodb', 'ion']
/** A one-byte character that is neither a quote nor part of a newline. */
const SEPARATOR = /^(?!["\r\n])[\0-\x7f]$/
const CONCURRENCY = 16
const EMBEDDED_CONCURRENCY = 256
/** Rows per round for each concurrent request. */
const ROUND_ROWS = 64
/** On an embedded store, a round blocks the process while it is written. */
const EMBEDDED_ROUND_ROWS = 2048
/** A row that cannot be part of a batch takes as long as this many batched rows. */
const SINGLE_ROWS = 4
const ROUND_BYTES = 4 * 1024 * 1024

/** After this many read rows, the running requests get a turn of the event loop. */
const YIELD_ROWS = 64

/** Rows that are written together. */
interface GatheredRound {
  readonly rows: readonly SourceRow[]
  readonly writes: readonly RowWrite[]
  readonly failures: readonly FailedRow[]
  /** The last row that was read. */
  readonly last: SourceRow
}

class Load {
  private cursor: LoadCursor
  private readonly concurrency: number
  private readonly roundRows: number
  private gatheredRows: SourceRow[] = []
  private writes: RowWrite[] = []
  private failures: FailedRow[] = []
  private readonly keys = new Set<string>()
  private bytes = 0
  private roundWeight = 0
  private hasReported = false
  /** The round that is being written while the next one is gathered. */
  private writing: Promise<void> | undefined

  constructor(
    private readonly context: Context,
    private readonly sources: readonly LoadSource[],
    private readonly options: LoadOptions,
  ) {
    const usual = context.isEmbedded ? EMBEDDED_CONCURRENCY : CONCURRENCY
    const { existing = 'replace', concurrency = usual } = options
    this.concurrency = concurrency
    this.roundRows =
      context.isEmbedded && options.concurrency === undefined ? EMBEDDED_ROUND_ROWS : ROUND_ROWS * concurrency
    assertInteger(concurrency, 'concurrency')
    assertChoice(existing, 'existing', 'replace', 'leave')
    // An invalid cursor would end the load at once without loading anything.
    assertArgument(
      !options.from || isLoadCursor(options.from, sources),
      'from: the value is not a cursor of a load of these sources; leave it out to start again.',
    )
    const passes = edgesNeedNodes(context.layout) ? 2 : 1
    const counts = { written: 0, skipped: 0, failed: 0, units: 0 }
    const start = { pass: 0, passes, source: 0, offset: 0, lines: 0 }
    this.cursor = options.from ?? { ...start, ...counts, seed: newSeed(context.environment) }
  }

  async run(): Promise<LoadCounts> {
    // Check all sources before anything is written, so that a mistake in the last file is found early.
    for (const source of this.sources) await createReader(this.context.layout, source, this.readOptions())
    while (this.cursor.pass < this.cursor.passes) {
      for (let { source } = this.cursor; source < this.sources.length; source = this.cursor.source) {
        await this.loadSource(this.sources[source]!)
        await this.advance({ source: source + 1, offset: 0, lines: 0 })
      }
      await this.advance({ pass: this.cursor.pass + 1, source: 0 })
    }
    const { written, skipped, failed, units } = this.cursor
    return { written, skipped, failed, units }
  }

  private readOptions() {
    return { tenant: this.options.tenant, nowMs: this.cursor.seed.startedMs }
  }

  private async loadSource(source: LoadSource): Promise<void> {
    let last: SourceRow | undefined
    try {
      for await (const block of readSourceRows(this.context.layout, source, this.cursor, this.readOptions())) {
        for (const [index, sourceRow] of block.entries()) {
          if (this.isInPass(sourceRow)) await this.add(source, sourceRow, last)
          last = sourceRow
          if (this.isFull()) await this.write(last)
          if (this.writing && index % YIELD_ROWS === 0) await nextEventLoopTurn()
        }
        if (this.options.signal?.aborted) await this.writeAll(last)
      }
    } catch (error) {
      // Finish and report the running round before the error of a later row is thrown.
      await this.writing
      throw error
    }
    await this.writeAll(last)
  }

  private isFull(): boolean {
    return this.roundWeight + this.failures.length >= this.roundRows || this.bytes >= ROUND_BYTES
  }

  /** Whether a row belongs to the current pass. An unreadable row is reported in the first pass only. */
  private isInPass({ type, row, error }: SourceRow): boolean {
    if (!row && !error) return false
    return this.cursor.pass === (this.cursor.passes > 1 && type?.kind === 'edge' && !error ? 1 : 0)
  }

  /**
   * Adds a row to the round. A second row of the same item starts a new round, so that the last row in the source
   * wins.
   */
  private async add(source: LoadSource, sourceRow: SourceRow, previous: SourceRow | undefined): Promise<void> {
    let plan: Plan | undefined
    try {
      plan = this.planRow(sourceRow)
    } catch (error) {
      if (!GraphError.is(error)) throw error
      this.failures.push(failedRow(source, sourceRow, error))
      return
    }
    const { type, identity } = plan.steps.at(-1)!.changes![0]!
    const { layout } = this.context
    const key = uniqueKeyTextOf(layout, tableKeyOf(layout, traitsOf(layout, type).ownKind, identity))
    if (this.keys.has(key)) await this.write(previous)
    const newWrite = createRowWrite(this.context, plan)
    this.keys.add(key)
    this.gatheredRows.push(sourceRow)
    this.writes.push(newWrite)
    this.bytes += sourceRow.text.length
    this.roundWeight += newWrite.groupSize > 1 ? 1 : SINGLE_ROWS
  }

  private planRow({ type, row, tenant, line, error }: SourceRow): Plan {
    if (error || !type || !row) throw error
    const { layout, environment } = this.context
    const { seed, source } = this.cursor
    const completeRow = withDefaults(traitsOf(layout, type.name), row, seed, source, line)
    const planWrite = this.options.existing === 'leave' ? planCreate : planPut
    return planWrite(layout, type.name, completeRow, { environment, ...(tenant !== undefined && { tenant }) })
  }

  /** Starts writing the gathered rows once the previous round is done. */
  private async write(last: SourceRow | undefined): Promise<void> {
    const round = last && this.takeGathered(last)
    await this.writing
    // Report the seed before the first round, so that a resumed load generates the same values.
    if (!this.hasReported && round) await this.advance({})
    this.writing = round && this.writeGathered(round)
    // The error is thrown where this promise is awaited.
    this.writing?.catch(() => {})
  }

  private async writeAll(last: SourceRow | undefined): Promise<void> {
    await this.write(last)
    await this.writing
    this.writing = undefined
    this.options.signal?.throwIfAborted()
  }

  private takeGathered(last: SourceRow): GatheredRound {
    const { gatheredRows: rows, writes, failures } = this
    this.gatheredRows = []
    this.writes = []
    this.failures = []
    this.keys.clear()
    this.bytes = 0
    this.roundWeight = 0
    return { rows, writes, failures, last }
  }

  private async writeGathered({ rows, writes, failures: readFailures, last }: GatheredRound): Promise<void> {
    const { existing, failed, signal } = this.options
    if (writes.length === 0 && readFailures.length === 0 && last.end === this.cursor.offset) return
    const source = this.sources[this.cursor.source]!
    const sender = new RequestSender(this.context, {}, true)
    const refusals = await writeRound(sender, { writes, concurrency: this.concurrency })
    const failures = [...readFailures]
    let skipped = 0
    for (const [index, error] of refusals) {
      if (existing === 'leave' && error.code === 'write.exists') skipped++
      else failures.push(failedRow(source, rows[index]!, error))
    }
    failures.sort((a, b) => a.line - b.line)
    if (failures.length > 0) await failed?.(failures)
    await this.advance({
      offset: last.end,
      lines: last.line + last.text.split('\n').length - 1,
      written: this.cursor.written + writes.length - refusals.size,
      skipped: this.cursor.skipped + skipped,
      failed: this.cursor.failed + failures.length,
      units: this.cursor.units + sender.consumed.total,
    })
    await yieldToEventLoop(signal)
  }

  private async advance(changes: Partial<LoadCursor>): Promise<void> {
    this.hasReported = true
    this.cursor = { ...this.cursor, ...changes }
    await this.options.progress?.(this.cursor)
  }
}

function isLoadCursor(from: LoadCursor, sources: readonly LoadSource[]): boolean {
  const { pass, passes, source, offset, lines, written, skipped, failed, units, seed } = from
  const hasCounts = [pass, passes, source, offset, lines, written, skipped, failed, units].every(Number.isFinite)
  return hasCounts && source <= sources.length && Number.isFinite(seed?.startedMs) && Array.isArray(seed.randomDigits)
}

function failedRow({ name }: LoadSource, { line, text }: SourceRow, { code, message }: GraphError): FailedRow {
  return { source: name, line, code, message, text }
}

/** Whether edges depend on their nodes, because they require them or copy values from them. */
function edgesNeedNodes(layout: Layout): boolean {
  return layout.graph.declared.edges.some(({ name }) => {
    const { carrySources, requiredEnds } = traitsOf(layout, name)
    return carrySources.length > 0 || requiredEnds.length > 0
  })
}
