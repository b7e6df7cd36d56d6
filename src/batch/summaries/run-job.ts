import { createDerivationContext, readCurrentItems } from '../../derive/settle/context.js'
import type { AttributeValue, Item, Key } from '../../dynamodb/attribute-value.js'
import type { ConsumedCapacity } from '../../dynamodb/operation-types.js'
import { WRITE_MILLION_DOLLARS } from '../../dynamodb/prices.js'
import { parseWorkOptions } from '../../graph/arguments.js'
import type { Context } from '../../graph/context.js'
import { contextOf } from '../../graph/open.js'
import { forEachConcurrently } from '../../graph/run/concurrency.js'
import { rethrowJobError, runCallback } from '../../jobs/callbacks.js'
import type { Kind } from '../../layout/kinds.js'
import { keyOfItem, uniqueKeyTextOf } from '../../plan/identity.js'
import { type PricedItem, writePrice } from '../../plan/price/write-price.js'
import { GraphError } from '../../schema/error.js'
import type { AbortSignalLike } from '../../store/abort-signal.js'
import { type ProgramContext, viewOf } from '../algorithms/graph-tables.js'
import { runSteps } from '../algorithms/run-program.js'
import type { SqlRow } from '../duckdb.js'
import { BatchData, programContextOf } from '../open-batch.js'
import { RateLimiter } from '../rate-limiter.js'
import { parseItemText } from '../sources/item-text.js'
import { CHANGES, ROWS, sparkContext } from '../spark/plan.js'
import type { SparkResults } from '../spark/results.js'
import { decodePosition, encodePosition, type Position } from './position.js'
import {
  allRowsQuery,
  assertResult,
  changedQuery,
  resultQueries,
  type SummaryTarget,
  targetsOf,
} from './result-query.js'
import {
  assertNotOlder,
  definitionOf,
  hasLateWrites,
  hasOtherDefinition,
  lastRun,
  noteBegin,
  noteRun,
} from './run-record.js'
import type { SummaryJob } from './summary-job.js'
import { summaryValue } from './summary-value.js'
import { changesOf, itemAfter, itemsOfRow, type RunTimes, type SummaryChanges, summaryUpdate } from './summary-write.js'

/** How a job writes its results. */
export interface RunJobOptions {
  /** Write capacity units that it may use each second; by default as many as it gets. */
  readonly writeUnits?: number | undefined
  /** Computes and compares, and writes nothing. */
  readonly dryRun?: boolean | undefined
  /** The cursor of an earlier run of the same data, which continues there. */
  readonly cursor?: string | undefined
  readonly signal?: AbortSignalLike | undefined
  /** Called after each block of writes, and awaited. */
  readonly progress?: ((progress: JobProgress) => void | Promise<void>) | undefined
  /** Called with each row that is not written because its item cannot be read, and awaited. */
  readonly onUnreadable?: ((row: UnreadableRow) => void | Promise<void>) | undefined
}

const KNOWN = 'writeUnits, dryRun, cursor, signal, progress, onUnreadable'

/** A row whose item has a value of another type than declared, so that its mirror cannot be found. */
export interface UnreadableRow {
  readonly key: Key
  /** Why it cannot be read. */
  readonly message: string
}

/** The results of a job so far. */
export interface JobCounts {
  /** Rows whose summaries differ from the result. */
  readonly changed: number
  /** Rows that were written. */
  readonly written: number
  /** Rows that were left as they are: deleted since, or written by a job of later data. */
  readonly skipped: number
  /** Rows that were not written because their items cannot be read. */
  readonly unreadable: number
  /** Write capacity units; of a dry run, those that the writes would use. */
  readonly writeUnits: number
}

/** How far a job is. */
export interface JobProgress extends JobCounts {
  /** Continues the job after an interruption; undefined at its end. */
  readonly cursor: string | undefined
}

/** The result of a job. */
export interface JobResult extends JobCounts {
  /** Whether the job had run with this data before, so that nothing was computed. */
  readonly ranBefore: boolean
  /** The on-demand price of the writes in us-east-1, late 2025. */
  readonly dollars: number
}

const BLOCK_ROWS = 200
const CONCURRENCY = 16
const NOTHING: JobCounts = { changed: 0, written: 0, skipped: 0, unreadable: 0, writeUnits: 0 }

/**
 * Computes the summaries of a job and writes those that changed. Each write is an update under a condition: it sets
 * nothing else, it creates no item, and it never replaces a summary of later data.
 *
 * @param opened A graph that `open` returned.
 * @param data The items of a source, or the results of the job on Spark.
 * @throws {batch.job} if the job does not fit the graph, or its data is older than that of its last run.
 *
 * @example
 * ```ts
 * import { edge, graph, node, open, string, summary } from 'edgewise'
 * import { openBatch, pageRank, runJob } from 'edgewise/batch'
 * import { memory } from 'edgewise/engine'
 *
 * const user = node('user', { id: string(), rank: summary() }, { id: 'id' })
 * const social = graph('social', [user, edge('follow', { follower: user, followed: user })])
 * const store = memory()
 * const g = await open(social, store)
 * await g.user.put({ id: 'ann' })
 * await using data = await openBatch(social, { from: { store } })
 * const ranking = pageRank({ edge: 'follow', node: 'user', into: 'rank' })
 * const result = await runJob(g, data, ranking, { writeUnits: 100 })
 * ```
 */
export async function runJob(
  opened: object,
  data: BatchData | SparkResults,
  job: SummaryJob,
  options: RunJobOptions = {},
): Promise<JobResult> {
  parseWorkOptions('runJob', options, KNOWN, 'progress, onUnreadable')
  return rethrowJobError(new JobRun(contextOf(opened), data, job, options).run(), options.signal)
}

/** A row of the result, as a change of its item. */
interface RowChange {
  readonly item: Item
  /** The items that hold the row; none if it was deleted. */
  readonly sides: ReturnType<typeof itemsOfRow>
  readonly changes: SummaryChanges
  readonly position: Position
}

class JobRun {
  private readonly program: ProgramContext
  private readonly kind: Kind
  private readonly targets: readonly SummaryTarget[]
  private times: RunTimes
  private readonly rate: RateLimiter
  private counts: JobCounts = NOTHING
  /** Whether results are compared with the live items, because the data lacks writes of an earlier run. */
  private isLive = false
  private hasBegun = false

  constructor(
    private readonly context: Context,
    private readonly data: BatchData | SparkResults,
    private readonly job: SummaryJob,
    private readonly options: RunJobOptions,
  ) {
    const { layout, moment } = data
    if (layout.fingerprint !== context.layout.fingerprint)
      throw new GraphError(
        'batch.job',
        `job '${job.name}': the data and the graph have different layouts; open both with the same layout.`,
      )
    this.program = data instanceof BatchData ? programContextOf(data) : sparkContext(layout)
    this.kind = viewOf(this.program, job.type).kind
    this.targets = targetsOf(this.program, job)
    this.times = { moment: moment.toISOString(), computed: new Date(context.environment.now()).toISOString() }
    const { writeUnits } = options
    if (writeUnits !== undefined && !(writeUnits > 0))
      throw new GraphError('call.argument', "runJob: 'writeUnits' is not a number above 0; correct it.")
    this.rate = new RateLimiter(writeUnits, context.backoff.clock)
  }

  async run(): Promise<JobResult> {
    const { name } = this.job
    const { dryRun, cursor } = this.options
    const last = await lastRun(this.context, name)
    assertNotOlder(name, last, this.times.moment)
    const { moment } = this.times
    const definition = definitionOf(this.job)
    const ran = last?.moment === moment ? last.definitions : []
    if (ran.includes(definition)) return { ...NOTHING, ranBefore: true, dollars: 0 }
    this.isLive = hasLateWrites(last, moment, definition)
    this.times = { ...this.times, replacesSameData: hasOtherDefinition(last, moment, definition) }
    const from = cursor === undefined ? undefined : decodePosition(cursor, this.times.moment)
    await this.writeChanges(await this.changedRows(), from)
    const ended = new Date(this.context.environment.now()).toISOString()
    if (!dryRun) await noteRun(this.context, name, { ...this.times, ended, definitions: [...ran, definition] })
    await runCallback(() => this.options.progress?.({ ...this.counts, cursor: undefined }))
    return { ...this.counts, ranBefore: false, dollars: (this.counts.writeUnits * WRITE_MILLION_DOLLARS) / 1e6 }
  }

  /** The rows that differ from the data; all rows if they are compared with live items. */
  private async changedRows(): Promise<AsyncIterable<readonly SqlRow[]>> {
    const { data, job, program, targets } = this
    if (!(data instanceof BatchData)) {
      data.assertDefinition(job.name, definitionOf(job))
      return data.rows(job.name, this.isLive ? ROWS : CHANGES)
    }
    const { database } = data
    const { steps, result } = job.program(program)
    await runSteps(database, steps, this.options.signal)
    const queries = resultQueries(program, job, targets, result)
    await assertResult(database, result, queries)
    const { rows } = queries
    const sql = this.isLive ? allRowsQuery(program, rows) : changedQuery(program, rows, targets)
    return (await database.query(sql)).chunks
  }

  private async writeChanges(chunks: AsyncIterable<readonly SqlRow[]>, from: Position | undefined): Promise<void> {
    for await (const chunk of chunks) {
      const live = this.isLive ? await this.liveItems(chunk) : undefined
      const rows: RowChange[] = []
      for (const row of chunk) rows.push(...(await this.changeOf(row, from, live)))
      for (let at = 0; at < rows.length; at += BLOCK_ROWS) await this.writeBlock(rows.slice(at, at + BLOCK_ROWS))
    }
  }

  /** The live items of rows, by their keys. */
  private async liveItems(rows: readonly SqlRow[]): Promise<ReadonlyMap<string, Item>> {
    const { layout, store, environment, backoff } = this.context
    this.options.signal?.throwIfAborted()
    const keys = rows.map(({ item }) => keyOfItem(layout.names, parseItemText(item)))
    const found = await readCurrentItems(createDerivationContext(layout, store, environment, backoff), keys)
    return new Map([...found.values()].map(item => [uniqueKeyTextOf(layout, item), item]))
  }

  private async changeOf(
    row: SqlRow,
    from: Position | undefined,
    live?: ReadonlyMap<string, Item>,
  ): Promise<RowChange[]> {
    const position = { pk: String(row.pk), sk: String(row.sk) }
    if (from && !isAfter(position, from)) return []
    const exported = parseItemText(row.item)
    const current = live?.get(uniqueKeyTextOf(this.context.layout, exported))
    const item = current ?? exported
    const changes = changesOf(item, this.targets, target => this.valueOf(target, row))
    if (changes.size === 0) return []
    // Of an item that was deleted since, only the key may be known.
    const sides = live && !current ? [] : await this.sidesOf(item)
    return sides ? [{ item, sides, changes, position }] : []
  }

  /** The items that hold a row; undefined if it cannot be read. */
  private async sidesOf(item: Item): Promise<ReturnType<typeof itemsOfRow> | undefined> {
    const { layout } = this.context
    try {
      return itemsOfRow(layout, this.kind, item)
    } catch (error) {
      if (!(error instanceof GraphError)) throw error
      this.counts = { ...this.counts, unreadable: this.counts.unreadable + 1 }
      const unreadable = { key: keyOfItem(layout.names, item), message: error.message }
      await runCallback(() => this.options.onUnreadable?.(unreadable))
      return undefined
    }
  }

  /** The value of a row for a summary; an error names the row. */
  private valueOf(target: SummaryTarget, row: SqlRow): AttributeValue | undefined {
    try {
      return summaryValue(target, row[target.column])
    } catch (error) {
      if (!(error instanceof GraphError)) throw error
      const reason = error.message.replace(/\.$/, '')
      throw new GraphError(
        'batch.job',
        `job '${this.job.name}': the row '${row.pk}' '${row.sk}' has an invalid value: ${reason}; correct the SQL.`,
        { name: target.name },
      )
    }
  }

  private async writeBlock(rows: readonly RowChange[]): Promise<void> {
    const { dryRun, signal, progress } = this.options
    let written = 0
    let writeUnits = 0
    if (!dryRun && !this.hasBegun) {
      await noteBegin(this.context, this.job.name, this.times.moment, definitionOf(this.job))
      this.hasBegun = true
    }
    await forEachConcurrently(rows, CONCURRENCY, async row => {
      if (dryRun) {
        writeUnits += this.priceOf(row)
        return
      }
      await this.rate.ready(signal)
      signal?.throwIfAborted()
      const units = await this.write(row)
      this.rate.use(units ?? this.priceOf(row))
      writeUnits += units ?? 0
      if (units !== undefined) written++
    })
    const { counts } = this
    this.counts = {
      ...counts,
      changed: counts.changed + rows.length,
      written: counts.written + written,
      skipped: counts.skipped + (dryRun ? 0 : rows.length - written),
      writeUnits: counts.writeUnits + writeUnits,
    }
    const cursor = encodePosition(this.times.moment, rows.at(-1)!.position)
    await runCallback(() => progress?.({ ...this.counts, cursor }))
  }

  private priceOf({ item, sides, changes }: RowChange): number {
    const { layout } = this.context
    const parts: PricedItem[] = sides.map(() => ({
      verb: 'Update',
      before: item,
      after: itemAfter(item, changes, this.times),
    }))
    return sumOf(writePrice(layout, parts).write)
  }

  /** Resolves to the write capacity units that the write used; to undefined if its condition did not hold. */
  private async write({ sides, changes }: RowChange): Promise<number | undefined> {
    const { layout, store } = this.context
    if (sides.length === 0) return undefined
    const updates = sides.map(side => summaryUpdate(layout, side, changes, this.times))
    try {
      const [only, ...mirrors] = updates
      const capacity = { ReturnConsumedCapacity: 'TOTAL' } as const
      const output =
        mirrors.length > 0
          ? await store.transactWriteItems({ TransactItems: updates.map(Update => ({ Update })) as never, ...capacity })
          : await store.updateItem({ ...only, ...capacity } as never)
      const consumed = [(output as { ConsumedCapacity?: ConsumedCapacity | ConsumedCapacity[] }).ConsumedCapacity ?? []]
      return consumed.flat().reduce((sum, { CapacityUnits = 0 }) => sum + CapacityUnits, 0)
    } catch (error) {
      if (isConditionFailure(error)) return undefined
      throw error
    }
  }
}

const sumOf = (units: Readonly<Record<string, number>>) => Object.values(units).reduce((sum, each) => sum + each, 0)

const isAfter = (one: Position, other: Position) =>
  (one.pk === other.pk ? compareBytes(one.sk, other.sk) : compareBytes(one.pk, other.pk)) > 0

/** As the database sorts texts: by their UTF-8 bytes. */
const compareBytes = (one: string, other: string) => Buffer.compare(Buffer.from(one), Buffer.from(other))

function isConditionFailure(error: unknown): boolean {
  const { name, CancellationReasons = [] } = error as {
    name?: string
    CancellationReasons?: readonly { readonly Code?: string }[]
  }
  if (name === 'ConditionalCheckFailedException') return true
  return CancellationReasons.some(({ Code }) => Code === 'ConditionalCheckFailed')
}
