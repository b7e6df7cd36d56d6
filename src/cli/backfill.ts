import { type BackfillProgress, backfill } from '../jobs/backfill.js'
import { GraphError } from '../schema/error.js'
import { Failure } from './failure.js'
import { onStore } from './on-store.js'
import type { SchemaOptions, StoreOptions } from './options.js'
import { counted, print, printJson } from './output.js'
import { progress } from './progress.js'
import { loadGraph } from './schema-file.js'
import { stopSignal } from './stop-signal.js'
import { tableUnready } from './table-unready.js'

interface BackfillOptions extends SchemaOptions, StoreOptions {
  readonly from?: string
  readonly fromExport?: string
}

/** Brings a table up to a schema, with progress. */
export async function backfillCommand(file: string, options: BackfillOptions): Promise<void> {
  if (options.fromExport !== undefined && options.from === undefined)
    throw new Failure('--from-export names a graph of the schema before: give --from too')
  await onStore(file, options, async ({ layout, store, table }) => {
    const { from, fromExport } = options
    const before =
      from === undefined ? undefined : await loadGraph(from, fromExport === undefined ? {} : { export: fromExport })
    const stop = new AbortController()
    stopSignal().then(() => stop.abort(STOPPED))
    const line = progress()
    const startMs = performance.now()
    let told: BackfillProgress = { read: 0, changed: 0 }
    try {
      const done = await backfill(layout, store, {
        table,
        ...(before && { from: before.layout }),
        signal: stop.signal,
        progress: each => {
          told = each
          line.say(() => rate(each, startMs))
        },
      }).catch(tableUnready(file, table))
      line.end()
      if (options.json) printJson({ table, ...done })
      else
        print(`${table} is up to date: ${counted(done.read, 'item')} read, ${counted(done.changed, 'item')} changed.`)
    } catch (error) {
      line.end()
      if (error !== STOPPED) throw inWords(error)
      throw new Failure(`stopped after ${counted(told.read, 'item')}: run the same command again, and it goes on`)
    }
  })
}

const STOPPED = new Error('stopped')

/** Who is refused here has files of schemas, and options of a command. */
function inWords(error: unknown): unknown {
  if (!(error instanceof GraphError) || error.code !== 'layout.drift') return error
  const text = error.message.replace("the layout before as 'from'", "the schema before as 'from'")
  return new GraphError(error.code, text.replace("as 'from'", 'as --from'), error.details)
}

function rate({ read, changed }: BackfillProgress, startMs: number): string {
  const perSecond = Math.round(read / (Math.max(performance.now() - startMs, 1) / 1000))
  return `${read.toLocaleString('en-US')} items read, ${perSecond.toLocaleString('en-US')} items/s, ${changed.toLocaleString('en-US')} changed`
}
