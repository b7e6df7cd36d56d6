import type { BatchSource, JobProgress, JobResult, RunJobOptions, SparkResults, SummaryJob } from '../batch/index.js'
import type { BatchData } from '../batch/open-batch.js'
import { PRICE_REGION_AND_DATE } from '../dynamodb/prices.js'
import { open } from '../graph/open.js'
import { InterruptedFailure } from './command-failure.js'
import { rethrowTableError } from './connection/table-errors.js'
import { runWithStore, type StoreContext } from './connection/with-store.js'
import { AtomicJsonFile } from './files/atomic-json-file.js'
import { OTHER_CHECKPOINT, toForeignCheckpointFailure } from './files/file-failures.js'
import { jobNamed } from './job-exports.js'
import { storeName } from './load/checkpoint.js'
import type { BatchEngineOptions, SourceOptions } from './options-batch.js'
import { formatCount, print, printJson } from './terminal/output.js'
import { startProgressLine } from './terminal/progress-line.js'
import { abortOnStop, StopSignalError } from './terminal/stop-signal.js'
import { tableSource, withData } from './with-batch.js'
import { withSpark } from './with-spark.js'

interface JobOptions extends SourceOptions, BatchEngineOptions {
  readonly writeUnits?: number
  readonly dryRun?: boolean
  readonly checkpoint?: string
}

interface Checkpoint {
  readonly of: object
  readonly cursor: string
}

/** Runs a job that a schema file exports. */
export async function batchCommand(file: string, name: string, options: JobOptions): Promise<void> {
  await runWithStore(file, options, async on => {
    const job = jobNamed(on, name)
    const graph = await open(on.layout, on.store, { table: on.table, create: false, follow: false }).catch(
      rethrowTableError(on),
    )
    const work = (data: BatchData | SparkResults) => run(on, graph, data, job, options)
    const source: BatchSource = options.from ?? tableSource(on, options)
    const isSpark = options.engine === 'spark' || options.results !== undefined
    const result = await (isSpark ? withSpark(on, job, options, work) : withData(on, source, options, work))
    if (options.json) printJson({ job: job.name, ...result })
    else print(report(job, result, options.dryRun ?? false))
  })
}

async function run(
  { layout, table }: StoreContext,
  graph: object,
  data: BatchData | SparkResults,
  job: SummaryJob,
  options: JobOptions,
): Promise<JobResult> {
  const { runJob } = await import('../batch/index.js')
  const { writeUnits, dryRun, checkpoint } = options
  const checkpointFile = checkpoint === undefined ? undefined : new AtomicJsonFile(checkpoint)
  const of = { job: job.name, fingerprint: layout.fingerprint, table, store: storeName(options), moment: data.moment }
  const previous = dryRun ? undefined : ((await checkpointFile?.read()) as Checkpoint | undefined)
  if (previous && JSON.stringify(previous.of) !== JSON.stringify(of))
    throw toForeignCheckpointFailure(checkpoint!, `${OTHER_CHECKPOINT}, or remove it`)
  const line = startProgressLine()
  const jobOptions: RunJobOptions = {
    signal: abortOnStop(),
    ...(writeUnits !== undefined && { writeUnits }),
    ...(dryRun && { dryRun }),
    ...(previous && { cursor: previous.cursor }),
    progress: async ({ written, skipped, cursor }: JobProgress) => {
      line.update(() => `${written.toLocaleString('en-US')} rows written, ${skipped} skipped`)
      if (dryRun) return
      if (cursor === undefined) await checkpointFile?.remove()
      else await checkpointFile?.write({ of, cursor } satisfies Checkpoint)
    },
  }
  try {
    return await runJob(graph, data, job, jobOptions)
  } catch (error) {
    if (!(error instanceof StopSignalError)) throw error
    const advice = checkpointFile
      ? 'run the same command again to continue'
      : 'add --checkpoint FILE to be able to continue'
    throw new InterruptedFailure(`batch: a signal stopped the command; ${advice}.`, error)
  } finally {
    line.clear()
  }
}

function report(job: SummaryJob, result: JobResult, isDry: boolean): string {
  const { changed, written, skipped, unreadable, writeUnits, dollars, ranBefore } = result
  if (ranBefore) return `${job.name} ran with this data before; nothing was written.`
  const price = `${formatCount(Math.ceil(writeUnits), 'write unit')}, $${dollars.toFixed(6)} on demand (${PRICE_REGION_AND_DATE})`
  if (isDry) return `${job.name} would change ${formatCount(changed, 'row')}: ${price}.`
  const skippedText = skipped > 0 ? `, ${skipped} skipped` : ''
  const unreadableText =
    unreadable > 0
      ? `\n${formatCount(unreadable, 'row')} cannot be read and were left; find them with edgewise verify.`
      : ''
  return `${job.name} changed ${formatCount(written, 'row')}${skippedText}: ${price}.${unreadableText}`
}
