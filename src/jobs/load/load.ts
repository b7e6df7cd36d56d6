import type { Context } from '../../graph/context.js'
import { given, workOptions } from '../../graph/given.js'
import { contextOf } from '../../graph/open.js'
import { Sending } from '../../graph/sending.js'
import type { Layout } from '../../layout/layout.js'
import { keyText, tableKey } from '../../plan/identity.js'
import type { Plan } from '../../plan/plan.js'
import { planCreate, planPut } from '../../plan/write.js'
import { traitsOf } from '../../plan/write-traits.js'
import type { GraphError } from '../../schema/error.js'
import { shown } from '../../schema/refusal.js'
import type { AbortSignalLike } from '../../store/abort-signal.js'
import { nextTurn } from '../../store/next-turn.js'
import { othersTurn } from '../others-turn.js'
import { isGraphError } from '../rows/graph-error.js'
import { type LoadSeed, newSeed, withMade } from './made.js'
import { readerOf, readRows } from './read.js'
import { type RowWrite, rowWrite, writeRound } from './round.js'
import type { FoundRow, LoadSource } from './source.js'

/** How far a load came: with it, the same load goes on. Plain data, to be kept as JSON. */
export interface LoadPlace extends LoadCounts {
  /** Nodes first, then edges, where edges need their nodes. */
  readonly pass: number
  readonly passes: number
  /** Which of the sources, from which byte, after how many lines. */
  readonly source: number
  readonly offset: number
  readonly lines: number
  readonly seed: LoadSeed
}

/** What became of the rows. */
export interface LoadCounts {
  /** rows that are written */
  readonly written: number
  /** rows that were there already and were to be left alone */
  readonly left: number
  /** rows that were refused */
  readonly failed: number
  /** capacity units */
  readonly units: number
}

/** A row that was not loaded. */
export interface FailedRow {
  readonly source: string
  readonly line: number
  readonly code: string
  readonly message: string
  /** As it stands in the source. */
  readonly text: string
}

/** How rows are loaded. */
export interface LoadOptions {
  /** Where an earlier call stopped, as its progress told. */
  readonly from?: LoadPlace | undefined
  /** What becomes of a row whose node or edge is there: it replaces it unless said. */
  readonly existing?: 'replace' | 'leave' | undefined
  /** The tenant of rows that do not tell theirs. */
  readonly tenant?: string | undefined
  /** How many requests are under way at once; 16 unless said, and 256 in an embedded store, where they share a flush. */
  readonly concurrency?: number | undefined
  /** Between two rounds of rows it stops, and the place that was told last is where it goes on. */
  readonly signal?: AbortSignalLike | undefined
  /** Given the rows that were not loaded, before the progress that counts them. */
  readonly failed?: ((rows: readonly FailedRow[]) => void | Promise<void>) | undefined
  /** Told before the first round and after every one. What is before the place is done, and need not be read again. */
  readonly progress?: ((place: LoadPlace) => void | Promise<void>) | undefined
}

/**
 * Writes rows as nodes and edges, by the graph's own writes. A row that is loaded twice is there once, and counted
 * once, so that a load that was cut off goes on from its last place.
 */
export async function load(
  opened: object,
  sources: readonly LoadSource[],
  options: LoadOptions = {},
): Promise<LoadCounts> {
  given(
    Array.isArray(sources) && sources.every(source => typeof source?.open === 'function'),
    "load() takes a list of sources: [{ name: 'rows', format: 'json', open: start => createReadStream(path, { start }) }]",
  )
  for (const { name, format, separator = ',' } of sources) {
    given(
      FORMATS.includes(format),
      `${name}: give its format, 'json', 'csv' or 'dynamodb', instead of ${shown(format)}`,
    )
    given(SEPARATOR.test(separator), `${name}: a separator is one character, as ';' or a tab`)
  }
  workOptions('load', options, 'from, existing, tenant, concurrency, signal, failed, progress', 'failed, progress')
  return new Load(contextOf(opened), sources, options).run()
}

const FORMATS: readonly LoadSource['format'][] = ['json', 'csv', 'dynamodb']
/** What is a byte of its own, and ends neither a cell nor a line by itself. */
const SEPARATOR = /^(?!["\r\n])[\0-\x7f]$/
const CONCURRENCY = 16
const EMBEDDED_CONCURRENCY = 256
/** How many rows of a round there are for each request that may be under way. */
const ROUND_ROWS = 64
/** In an embedded store a round keeps the process from all else for as long as it is written. */
const EMBEDDED_ROUND_ROWS = 2048
/** What cannot go in a batch with others takes as long as this many that can. */
const SINGLE_ROWS = 4
const ROUND_BYTES = 4 * 1024 * 1024

/** After so many rows that are read, what is under way has a turn. */
const TURN_ROWS = 64

/** Rows that are written together. */
interface Gathered {
  readonly rows: readonly FoundRow[]
  readonly writes: readonly RowWrite[]
  readonly failures: readonly FailedRow[]
  /** The last that was read. */
  readonly last: FoundRow
}

class Load {
  private place: LoadPlace
  private readonly concurrency: number
  private readonly roundRows: number
  private gathered: FoundRow[] = []
  private writes: RowWrite[] = []
  private failures: FailedRow[] = []
  private readonly keys = new Set<string>()
  private bytes = 0
  private rows = 0
  private begun = false
  /** The round that is being written, while the next is gathered. */
  private writing: Promise<void> | undefined

  constructor(
    private readonly context: Context,
    private readonly sources: readonly LoadSource[],
    private readonly options: LoadOptions,
  ) {
    const usual = context.embedded ? EMBEDDED_CONCURRENCY : CONCURRENCY
    const { existing = 'replace', concurrency = usual } = options
    this.concurrency = concurrency
    this.roundRows =
      context.embedded && options.concurrency === undefined ? EMBEDDED_ROUND_ROWS : ROUND_ROWS * concurrency
    given(Number.isInteger(concurrency) && concurrency > 0, 'concurrency is a whole number from 1')
    given(existing === 'replace' || existing === 'leave', "existing is 'replace' or 'leave'")
    // A load from nowhere would be done at once, with nothing loaded.
    given(
      !options.from || isPlace(options.from, sources),
      'from is a place that the progress of a load of these sources told',
    )
    const passes = edgesNeedNodes(context.layout) ? 2 : 1
    const counts = { written: 0, left: 0, failed: 0, units: 0 }
    const start = { pass: 0, passes, source: 0, offset: 0, lines: 0 }
    this.place = options.from ?? { ...start, ...counts, seed: newSeed(context.surroundings) }
  }

  async run(): Promise<LoadCounts> {
    // Before anything is written: a mistake in the last file can be mended without beginning anew.
    for (const source of this.sources) await readerOf(this.context.layout, source, this.reading())
    while (this.place.pass < this.place.passes) {
      for (let { source } = this.place; source < this.sources.length; source = this.place.source) {
        await this.loadSource(this.sources[source]!)
        await this.move({ source: source + 1, offset: 0, lines: 0 })
      }
      await this.move({ pass: this.place.pass + 1, source: 0 })
    }
    const { written, left, failed, units } = this.place
    return { written, left, failed, units }
  }

  private reading() {
    return { tenant: this.options.tenant, nowMs: this.place.seed.startedMs }
  }

  private async loadSource(source: LoadSource): Promise<void> {
    let last: FoundRow | undefined
    try {
      for await (const block of readRows(this.context.layout, source, this.place, this.reading())) {
        for (const [at, found] of block.entries()) {
          if (this.isOfPass(found)) await this.add(source, found, last)
          last = found
          if (this.isFull()) await this.write(last)
          if (this.writing && at % TURN_ROWS === 0) await nextTurn()
        }
        if (this.options.signal?.aborted) await this.writeAll(last)
      }
    } catch (error) {
      // What is under way is done, and told, before whatever is wrong with a row after it.
      await this.writing
      throw error
    }
    await this.writeAll(last)
  }

  private isFull(): boolean {
    return this.rows + this.failures.length >= this.roundRows || this.bytes >= ROUND_BYTES
  }

  /** A row that cannot be read is told of once. */
  private isOfPass({ type, row, error }: FoundRow): boolean {
    if (!row && !error) return false
    return this.place.pass === (this.place.passes > 1 && type?.kind === 'edge' && !error ? 1 : 0)
  }

  /** A second row of one item waits until the first is written: the last one counts, as it stands in the source. */
  private async add(source: LoadSource, found: FoundRow, before: FoundRow | undefined): Promise<void> {
    let plan: Plan | undefined
    try {
      plan = this.planOf(found)
    } catch (error) {
      if (!isGraphError(error)) throw error
      this.failures.push(failedRow(source, found, error))
      return
    }
    const { type, identity } = plan.steps.at(-1)!.changes![0]!
    const { layout } = this.context
    const key = keyText(layout, tableKey(layout, traitsOf(layout, type).own, identity))
    if (this.keys.has(key)) await this.write(before)
    const write = rowWrite(this.context, plan)
    this.keys.add(key)
    this.gathered.push(found)
    this.writes.push(write)
    this.bytes += found.text.length
    this.rows += write.together > 1 ? 1 : SINGLE_ROWS
  }

  private planOf({ type, row, tenant, line, error }: FoundRow): Plan {
    if (error || !type || !row) throw error
    const { layout, surroundings } = this.context
    const { seed, source } = this.place
    const whole = withMade(traitsOf(layout, type.name), row, seed, source, line)
    const plan = this.options.existing === 'leave' ? planCreate : planPut
    return plan(layout, type.name, whole, { surroundings, ...(tenant !== undefined && { tenant }) })
  }

  /** Writes what is gathered, once the round before is done; what is before `last`, and itself, is done then. */
  private async write(last: FoundRow | undefined): Promise<void> {
    const round = last && this.taken(last)
    await this.writing
    // What it makes by chance must come out the same if it is cut off in the first round.
    if (!this.begun && round) await this.move({})
    this.writing = round && this.writeGathered(round)
    // Whoever waits for it is told.
    this.writing?.catch(() => {})
  }

  private async writeAll(last: FoundRow | undefined): Promise<void> {
    await this.write(last)
    await this.writing
    this.writing = undefined
    this.options.signal?.throwIfAborted()
  }

  private taken(last: FoundRow): Gathered {
    const { gathered: rows, writes, failures } = this
    this.gathered = []
    this.writes = []
    this.failures = []
    this.keys.clear()
    this.bytes = 0
    this.rows = 0
    return { rows, writes, failures, last }
  }

  private async writeGathered({ rows, writes, failures: unread, last }: Gathered): Promise<void> {
    const { existing, failed, signal } = this.options
    if (writes.length === 0 && unread.length === 0 && last.end === this.place.offset) return
    const source = this.sources[this.place.source]!
    const sending = new Sending(this.context, {}, true)
    const refused = await writeRound(sending, { writes, concurrency: this.concurrency })
    const failures = [...unread]
    let left = 0
    for (const [at, error] of refused) {
      if (existing === 'leave' && error.code === 'write.exists') left++
      else failures.push(failedRow(source, rows[at]!, error))
    }
    failures.sort((a, b) => a.line - b.line)
    if (failures.length > 0) await failed?.(failures)
    await this.move({
      offset: last.end,
      lines: last.line + last.text.split('\n').length - 1,
      written: this.place.written + writes.length - refused.size,
      left: this.place.left + left,
      failed: this.place.failed + failures.length,
      units: this.place.units + sending.tally.total,
    })
    await othersTurn(signal)
  }

  private async move(to: Partial<LoadPlace>): Promise<void> {
    this.begun = true
    this.place = { ...this.place, ...to }
    await this.options.progress?.(this.place)
  }
}

function isPlace(from: LoadPlace, sources: readonly LoadSource[]): boolean {
  const { pass, passes, source, offset, lines, written, left, failed, units, seed } = from
  const isKnown = [pass, passes, source, offset, lines, written, left, failed, units].every(Number.isFinite)
  return isKnown && source <= sources.length && Number.isFinite(seed?.startedMs) && Array.isArray(seed.chance)
}

function failedRow({ name }: LoadSource, { line, text }: FoundRow, { code, message }: GraphError): FailedRow {
  return { source: name, line, code, message, text }
}

/** Whether an edge can be refused, or lack something, where its nodes are not there yet. */
function edgesNeedNodes(layout: Layout): boolean {
  return layout.graph.declared.edges.some(({ name }) => {
    const { sources, checked } = traitsOf(layout, name)
    return sources.length > 0 || checked.length > 0
  })
}
