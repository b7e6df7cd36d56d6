import type { BatchSource, JobProgress, JobResult, RunJobOptions, SummaryJob } from '../batch/index.js'
import type { BatchData } from '../batch/open-batch.js'
import { PRICE_REGION_AND_DATE } from '../dynamodb/prices.js'
import { open } from '../graph/open.js'
import { CommandFailure, InterruptedFailure } from './command-failure.js'
import { rethrowTableError } from './connection/table-errors.js'
import { runWithStore, type StoreContext } from './connection/with-store.js'
import { AtomicJsonFile } from './files/atomic-json-file.js'
import { storeName } from './load/checkpoint.js'
import type { SourceOptions } from './options-batch.js'
import { formatCount, print, printJson } from './terminal/output.js'
import { startProgressLine } from './terminal/progress-line.js'
import { abortOnStop, StopSignalError } from './terminal/stop-signal.js'
import { tableSource, withData } from './with-batch.js'

interface JobOptions extends SourceOptions {
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
    const source: BatchSource = options.from ?? tableSource(on, options)
    const result = await withData(on, source, options, data => run(on, graph, data, job, options))
    if (options.json) printJson({ job: job.name, ...result })
    else print(report(job, result, options.dryRun ?? false))
  })
}

function jobNamed({ file, exports }: StoreContext, name: string): SummaryJob {
  const jobs = Object.entries(exports).filter(([, value]) => isJob(value)) as [string, SummaryJob][]
  const found = jobs.find(([exported, job]) => exported === name || job.name === name)
  if (found) return found[1]
  const known = jobs.map(([exported]) => exported).join(', ')
  throw new CommandFailure(
    known
      ? `${file}: the file exports no job '${name}'; use one of ${known}.`
      : `${file}: the file exports no job; add a job, for example \`export const ranking = pageRank({ … })\` with edgewise/batch.`,
  )
}

/** Another copy of the package may have made the job, so instanceof does not work. */
const isJob = (value: unknown): value is SummaryJob =>
  typeof value === 'object' && value !== null && typeof (value as Partial<SummaryJob>).program === 'function'

async function run(
  { layout, table }: StoreContext,
  graph: object,
  data: BatchData,
  job: SummaryJob,
  options: JobOptions,
): Promise<JobResult> {
  const { runJob } = await import('../batch/index.js')
  const { writeUnits, dryRun, checkpoint } = options
  const checkpointFile = checkpoint === undefined ? undefined : new AtomicJsonFile(checkpoint)
  const of = { job: job.name, fingerprint: layout.fingerprint, table, store: storeName(options), moment: data.moment }
  const previous = dryRun ? undefined : ((await checkpointFile?.read()) as Checkpoint | undefined)
  if (previous && JSON.stringify(previous.of) !== JSON.stringify(of))
    throw new CommandFailure(
      `${checkpoint}: the checkpoint belongs to another interrupted run; give another file with --checkpoint, or remove it.`,
    )
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
    throw new InterruptedFailure(`stopped; ${advice}`, error)
  } finally {
    line.clear()
  }
}

function report(job: SummaryJob, result: JobResult, isDry: boolean): string {
  const { changed, written, skipped, writeUnits, dollars, ranBefore } = result
  if (ranBefore) return `${job.name} ran with this data before; nothing was written.`
  const price = `${formatCount(Math.ceil(writeUnits), 'write unit')}, $${dollars.toFixed(6)} on demand (${PRICE_REGION_AND_DATE})`
  if (isDry) return `${job.name} would change ${formatCount(changed, 'row')}: ${price}.`
  const skippedText = skipped > 0 ? `, ${skipped} skipped` : ''
  return `${job.name} changed ${formatCount(written, 'row')}${skippedText}: ${price}.`
}
