import { type BackfillProgress, backfill } from '../../jobs/backfill/backfill.js'
import type { Layout } from '../../layout/layout.js'
import { GraphError } from '../../schema/error.js'
import { InterruptedFailure, UsageFailure } from '../command-failure.js'
import { rethrowTableError } from '../connection/table-errors.js'
import { runWithStore, type StoreContext } from '../connection/with-store.js'
import { loadGraph } from '../graph-file/load-graph.js'
import type { SchemaOptions, StoreOptions } from '../options.js'
import { formatCount, print, printJson } from '../terminal/output.js'
import { startProgressLine } from '../terminal/progress-line.js'
import { abortOnStop, StopSignalError } from '../terminal/stop-signal.js'
import { type DryRun, dryRunBackfill, formatDryRun } from './dry-run.js'

interface BackfillOptions extends SchemaOptions, StoreOptions {
  readonly from?: string
  readonly fromExport?: string
  readonly dryRun?: boolean
}

/** Updates the items of a table to a schema that changed, or shows what this would cost. */
export async function backfillCommand(file: string, options: BackfillOptions): Promise<void> {
  const { from, fromExport, dryRun } = options
  if (fromExport !== undefined && from === undefined)
    throw new UsageFailure('--from-export: the option is only for a previous schema; add --from.')
  await runWithStore(file, options, async context => {
    const previous =
      from === undefined ? undefined : await loadGraph(from, fromExport === undefined ? {} : { export: fromExport })
    if (dryRun) reportDryRun(context, await measureDryRun(context, previous?.layout), options)
    else report(context, await runBackfill(context, previous?.layout), options)
  })
}

async function measureDryRun(context: StoreContext, from: Layout | undefined): Promise<DryRun> {
  const line = startProgressLine()
  try {
    const show = (items: number) => line.update(() => `${items.toLocaleString('en-US')} items read`)
    return await dryRunBackfill({ ...context, from, signal: abortOnStop(), progress: show }).catch(
      rethrowTableError(context),
    )
  } catch (error) {
    throw error instanceof StopSignalError
      ? new InterruptedFailure('backfill: a signal stopped the dry run; run the same command again.', error)
      : withOptionNames(error)
  } finally {
    line.clear()
  }
}

async function runBackfill(context: StoreContext, from: Layout | undefined): Promise<BackfillProgress> {
  const { layout, store, table } = context
  const line = startProgressLine()
  const startMs = performance.now()
  let lastProgress: BackfillProgress = { read: 0, changed: 0 }
  try {
    return await backfill(layout, store, {
      table,
      ...(from && { from }),
      signal: abortOnStop(),
      progress: current => {
        lastProgress = current
        line.update(() => formatRate(current, startMs))
      },
    }).catch(rethrowTableError(context))
  } catch (error) {
    if (!(error instanceof StopSignalError)) throw withOptionNames(error)
    throw new InterruptedFailure(
      `backfill: a signal stopped the command after ${formatCount(lastProgress.read, 'item')}; run the same command again to continue.`,
      error,
    )
  } finally {
    line.clear()
  }
}

function report({ table }: StoreContext, result: BackfillProgress, { json }: BackfillOptions): void {
  if (json) printJson({ table, ...result })
  else
    print(
      `${table} is up to date: ${formatCount(result.read, 'item')} read, ${formatCount(result.changed, 'item')} changed.`,
    )
}

function reportDryRun({ table }: StoreContext, dryRun: DryRun, { json }: BackfillOptions): void {
  if (json) printJson({ table, dryRun: true, ...dryRun })
  else print(formatDryRun(table, dryRun))
}

/** Replaces the function's option names in job messages with those of this command. */
function withOptionNames(error: unknown): unknown {
  if (!(error instanceof GraphError) || error.code !== 'layout.drift') return error
  const text = error.message.replace(/\blayout( before)? as 'from'/, "schema$1 as 'from'")
  return new GraphError(error.code, text.replace("as 'from'", 'as --from'), error.details)
}

function formatRate({ read, changed }: BackfillProgress, startMs: number): string {
  const perSecond = Math.round(read / (Math.max(performance.now() - startMs, 1) / 1000))
  return `${read.toLocaleString('en-US')} items read, ${perSecond.toLocaleString('en-US')} items/s, ${changed.toLocaleString('en-US')} changed`
}
