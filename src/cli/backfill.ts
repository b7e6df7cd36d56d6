import { type BackfillProgress, backfill } from '../jobs/backfill.js'
import type { Layout } from '../layout/layout.js'
import { GraphError } from '../schema/error.js'
import { type DryRun, dryRunBackfill, dryRunText } from './backfill-dry-run.js'
import { Interrupted, Misuse } from './failure.js'
import { type OnStore, onStore } from './on-store.js'
import type { SchemaOptions, StoreOptions } from './options.js'
import { counted, print, printJson } from './output.js'
import { progress } from './progress.js'
import { loadGraph } from './schema-file.js'
import { abortOnStop, Stopped } from './stop-signal.js'
import { tableUnready } from './table-unready.js'

interface BackfillOptions extends SchemaOptions, StoreOptions {
  readonly from?: string
  readonly fromExport?: string
  readonly dryRun?: boolean
}

/** Updates the items of a table to a schema that changed, or shows what this would cost. */
export async function backfillCommand(file: string, options: BackfillOptions): Promise<void> {
  const { from, fromExport, dryRun } = options
  if (fromExport !== undefined && from === undefined)
    throw new Misuse('--from-export names a graph of the previous schema; add --from')
  await onStore(file, options, async on => {
    const before =
      from === undefined ? undefined : await loadGraph(from, fromExport === undefined ? {} : { export: fromExport })
    if (dryRun) reportDryRun(on, await measured(on, before?.layout), options)
    else report(on, await run(on, before?.layout), options)
  })
}

async function measured(on: OnStore, from: Layout | undefined): Promise<DryRun> {
  const line = progress()
  try {
    const show = (items: number) => line.say(() => `${items.toLocaleString('en-US')} items read`)
    return await dryRunBackfill({ ...on, from, signal: abortOnStop(), progress: show }).catch(tableUnready(on))
  } catch (error) {
    throw error instanceof Stopped ? new Interrupted('stopped; nothing was written', error) : withOptionNames(error)
  } finally {
    line.end()
  }
}

async function run(on: OnStore, from: Layout | undefined): Promise<BackfillProgress> {
  const { layout, store, table } = on
  const line = progress()
  const startMs = performance.now()
  let last: BackfillProgress = { read: 0, changed: 0 }
  try {
    return await backfill(layout, store, {
      table,
      ...(from && { from }),
      signal: abortOnStop(),
      progress: each => {
        last = each
        line.say(() => rate(each, startMs))
      },
    }).catch(tableUnready(on))
  } catch (error) {
    if (!(error instanceof Stopped)) throw withOptionNames(error)
    throw new Interrupted(`stopped after ${counted(last.read, 'item')}; run the same command again to continue`, error)
  } finally {
    line.end()
  }
}

function report({ table }: OnStore, done: BackfillProgress, { json }: BackfillOptions): void {
  if (json) printJson({ table, ...done })
  else print(`${table} is up to date: ${counted(done.read, 'item')} read, ${counted(done.changed, 'item')} changed.`)
}

function reportDryRun({ table }: OnStore, found: DryRun, { json }: BackfillOptions): void {
  if (json) printJson({ table, dryRun: true, ...found })
  else print(dryRunText(table, found))
}

/** Names the options of this command where a message of the job names those of the function. */
function withOptionNames(error: unknown): unknown {
  if (!(error instanceof GraphError) || error.code !== 'layout.drift') return error
  const text = error.message.replace("the layout before as 'from'", "the schema before as 'from'")
  return new GraphError(error.code, text.replace("as 'from'", 'as --from'), error.details)
}

function rate({ read, changed }: BackfillProgress, startMs: number): string {
  const perSecond = Math.round(read / (Math.max(performance.now() - startMs, 1) / 1000))
  return `${read.toLocaleString('en-US')} items read, ${perSecond.toLocaleString('en-US')} items/s, ${changed.toLocaleString('en-US')} changed`
}
