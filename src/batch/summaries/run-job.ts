import type { Item } from '../../dynamodb/attribute-value.js'
import type { ConsumedCapacity } from '../../dynamodb/operation-types.js'
import { WRITE_MILLION_DOLLARS } from '../../dynamodb/prices.js'
import { parseWorkOptions } from '../../graph/arguments.js'
import type { Context } from '../../graph/context.js'
import { contextOf } from '../../graph/open.js'
import { forEachConcurrently } from '../../graph/run/concurrency.js'
import { rethrowJobError, runCallback } from '../../jobs/callbacks.js'
import type { Kind } from '../../layout/kinds.js'
import { type PricedItem, writePrice } from '../../plan/price/write-price.js'
import { GraphError } from '../../schema/error.js'
import type { AbortSignalLike } from '../../store/abort-signal.js'
import { type ProgramContext, viewOf } from '../algorithms/graph-tables.js'
import { runSteps } from '../algorithms/run-program.js'
import type { SqlRow } from '../duckdb.js'
import { BatchData, programContextOf } from '../open-batch.js'
import { RateLimiter } from '../rate-limiter.js'
import { parseItemText } from '../sources/item-text.js'
import { CHANGES, sparkContext } from '../spark/plan.js'
import type { SparkResults } from '../spark/results.js'
import { decodePosition, encodePosition, type Position } from './position.js'
import { assertResult, changedQuery, resultQueries, type SummaryTarget, targetsOf } from './result-query.js'
import { assertNotOlder, lastRun, noteRun } from './run-record.js'
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
}

const KNOWN = 'writeUnits, dryRun, cursor, signal, progress'

/** The results of a job so far. */
export interface JobCounts {
  /** Rows whose summaries differ from the result. */
  readonly changed: number
  /** Rows that were written. */
  readonly written: number
  /** Rows that were left as they are: deleted since, or written by a job of later data. */
  readonly skipped: number
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
const NOTHING: JobCounts = { changed: 0, written: 0, skipped: 0, writeUnits: 0 }

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
  parseWorkOptions('runJob', options, KNOWN, 'progress')
  return rethrowJobError(new JobRun(contextOf(opened), data, job, options).run(), options.signal)
}

/** A row of the result, as a change of its item. */
interface RowChange {
  readonly item: Item
  readonly changes: SummaryChanges
  readonly position: Position
}

class JobRun {
  private readonly program: ProgramContext
  private readonly kind: Kind
  private readonly targets: readonly SummaryTarget[]
  private readonly times: RunTimes
  private readonly rate: RateLimiter
  private counts: JobCounts = NOTHING

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
    if (last?.moment === this.times.moment) return { ...NOTHING, ranBefore: true, dollars: 0 }
    const from = cursor === undefined ? undefined : decodePosition(cursor, this.times.moment)
    await this.writeChanges(await this.changedRows(), from)
    if (!dryRun) await noteRun(this.context, name, this.times)
    await runCallback(() => this.options.progress?.({ ...this.counts, cursor: undefined }))
    return { ...this.counts, ranBefore: false, dollars: (this.counts.writeUnits * WRITE_MILLION_DOLLARS) / 1e6 }
  }

  private async changedRows(): Promise<AsyncIterable<readonly SqlRow[]>> {
    const { data, job, program, targets } = this
    if (!(data instanceof BatchData)) return data.rows(job.name, CHANGES)
    const { database } = data
    const { steps, result } = job.program(program)
    await runSteps(database, steps, this.options.signal)
    const queries = resultQueries(program, job, targets, result)
    await assertResult(database, result, queries)
    return (await database.query(changedQuery(program, queries.rows, targets))).chunks
  }

  private async writeChanges(chunks: AsyncIterable<readonly SqlRow[]>, from: Position | undefined): Promise<void> {
    for await (const chunk of chunks) {
      const rows = chunk.flatMap(row => this.changeOf(row, from))
      for (let at = 0; at < rows.length; at += BLOCK_ROWS) await this.writeBlock(rows.slice(at, at + BLOCK_ROWS))
    }
  }

  private changeOf(row: SqlRow, from: Position | undefined): RowChange[] {
    const position = { pk: String(row.pk), sk: String(row.sk) }
    if (from && !isAfter(position, from)) return []
    const item = parseItemText(row.item)
    const changes = changesOf(item, this.targets, target => summaryValue(target, row[target.column]))
    return changes.size > 0 ? [{ item, changes, position }] : []
  }

  private async writeBlock(rows: readonly RowChange[]): Promise<void> {
    const { dryRun, signal, progress } = this.options
    let written = 0
    let writeUnits = 0
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
      changed: counts.changed + rows.length,
      written: counts.written + written,
      skipped: counts.skipped + (dryRun ? 0 : rows.length - written),
      writeUnits: counts.writeUnits + writeUnits,
    }
    const cursor = encodePosition(this.times.moment, rows.at(-1)!.position)
    await runCallback(() => progress?.({ ...this.counts, cursor }))
  }

  private priceOf({ item, changes }: RowChange): number {
    const { layout } = this.context
    const parts: PricedItem[] = itemsOfRow(layout, this.kind, item).map(() => ({
      verb: 'Update',
      before: item,
      after: itemAfter(item, changes, this.times),
    }))
    return sumOf(writePrice(layout, parts).write)
  }

  /** Resolves to the write capacity units that the write used; to undefined if its condition did not hold. */
  private async write({ item, changes }: RowChange): Promise<number | undefined> {
    const { layout, store } = this.context
    const updates = itemsOfRow(layout, this.kind, item).map(({ kind, key }) =>
      summaryUpdate(layout, kind, key, changes, this.times),
    )
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
