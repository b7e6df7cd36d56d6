import { open as openGraph } from '../../graph/open.js'
import { type DumpCounts, type DumpPlace, dump } from '../../jobs/dump/dump.js'
import type { Layout } from '../../layout/layout.js'
import type { DeclaredType } from '../../layout/slots.js'
import { Failure, Interrupted, Misuse } from '../failure.js'
import { besideOf, KeptFile } from '../kept-file.js'
import { KeptLines } from '../kept-lines.js'
import { storeName } from '../load/checkpoint.js'
import { type OnStore, onStore } from '../on-store.js'
import type { SchemaOptions, StoreOptions } from '../options.js'
import { counted, print, printJson } from '../output.js'
import { progress } from '../progress.js'
import { abortOnStop, Stopped } from '../stop-signal.js'
import { tableUnready } from '../table-unready.js'
import { typesAsked } from '../types-asked.js'
import { type DumpFormat, isOutput, type Mark, outputsOf, prepareFolder } from './outputs.js'
import { rateOf } from './rate.js'

interface DumpOptions extends SchemaOptions, StoreOptions {
  readonly format: DumpFormat
  readonly type?: readonly string[]
  readonly tenant?: string
  readonly segments: number
  readonly consistent?: boolean
  readonly escapeFormulas?: boolean
  readonly checkpoint?: string
  readonly restart?: boolean
}

interface Checkpoint {
  readonly of: object
  /** Of one that was cut off before its first page there is none. */
  readonly place?: DumpPlace
  readonly mark: Mark
  readonly failedBytes: number
}

/** Dumps a table into a folder, from where an earlier run of the same was cut off. */
export async function dumpCommand(file: string, folder: string, options: DumpOptions): Promise<void> {
  await onStore(file, options, async on => {
    const { layout, table } = on
    const beside = besideOf(folder)
    const types = typesOf(layout, options)
    const kept = new KeptFile(options.checkpoint ?? `${beside}.checkpoint`)
    const { format, type, tenant, escapeFormulas } = options
    const of = {
      fingerprint: layout.fingerprint,
      table,
      store: storeName(options),
      format,
      type,
      tenant,
      escapeFormulas,
    }
    const before = options.restart ? undefined : await resumed(kept, of)
    const graph = await openGraph(layout, on.store, { table, create: false }).catch(tableUnready(on))
    await prepareFolder(folder, before?.mark, options.restart ?? false, isOutput(layout, format, types))
    const failed = new KeptLines(`${beside}.failed.jsonl`, before?.failedBytes ?? 0, '<folder>')
    if (!before) await failed.clear()
    // What is in the folder from here on is known to be of this dump.
    if (!before) await kept.write({ of, mark: {}, failedBytes: 0 } satisfies Checkpoint)
    try {
      await run(on, graph, types, folder, options, { kept, of, before, failed })
    } finally {
      await failed.close()
    }
  })
}

interface Run {
  readonly kept: KeptFile
  readonly of: object
  readonly before: Checkpoint | undefined
  readonly failed: KeptLines
}

async function run(
  { layout }: OnStore,
  graph: object,
  types: readonly DeclaredType[],
  folder: string,
  options: DumpOptions,
  { kept, of, before, failed }: Run,
): Promise<void> {
  const outputs = outputsOf(layout, options, folder, types)
  await outputs.begin(before?.mark)
  const signal = abortOnStop()
  const line = progress()
  const startMs = performance.now()
  const rate = rateOf(before?.place, startMs)
  let last = before?.place
  const note = (place: DumpPlace) =>
    kept.write({ of, place, mark: outputs.mark(), failedBytes: failed.sizeBytes } satisfies Checkpoint)
  try {
    const counts = await dump(
      graph,
      async (page, place) => {
        if (page.failed.length > 0) await failed.add(page.failed)
        const safe = await outputs.add(page)
        last = place
        if (safe) await note(place)
        line.say(() => rate(place, outputs.bytes, performance.now()))
      },
      {
        from: before?.place,
        segments: options.segments,
        consistent: options.consistent ?? false,
        types: options.format === 'dynamodb' ? undefined : types.map(({ name }) => name),
        tenant: options.tenant,
        signal,
      },
    )
    await outputs.settle()
    line.end()
    // What could not be read is told, and is no reason to go on: the next dump begins anew.
    await kept.remove()
    report(counts, outputs.bytes, startMs, failed.path, folder, options)
  } catch (error) {
    line.end()
    if (!(error instanceof Stopped)) throw error
    await outputs.settle()
    if (last) await note(last)
    const items = counted(last?.items ?? 0, 'item')
    throw new Interrupted(`stopped after ${items}; run the same command again to continue`, error)
  } finally {
    await outputs.close()
  }
}

function typesOf(layout: Layout, { type, tenant, format, escapeFormulas }: DumpOptions): DeclaredType[] {
  if (escapeFormulas && format !== 'csv') throw new Misuse('--escape-formulas is only for CSV; add --format csv')
  const types = typesAsked(layout, type)
  if (tenant !== undefined && !layout.graph.declared.tenant)
    throw new Failure('the graph has no tenants; remove --tenant')
  if (format === 'dynamodb' && (type || tenant))
    throw new Failure('--format dynamodb exports every item; remove --type and --tenant')
  return types
}

async function resumed(kept: KeptFile, of: object): Promise<Checkpoint | undefined> {
  const found = (await kept.read()) as Checkpoint | undefined
  if (!found || JSON.stringify(found.of) === JSON.stringify(of)) return found
  throw new Failure(
    `${kept.path} belongs to another interrupted dump; add --restart to start over, or give another --checkpoint`,
  )
}

function report(
  counts: DumpCounts,
  bytes: number,
  startMs: number,
  failedFile: string,
  folder: string,
  { json, format }: DumpOptions,
): void {
  const seconds = (performance.now() - startMs) / 1000
  const { items, rows, unknown, failed, units } = counts
  if (json) printJson({ ...counts, bytes, seconds, ...(failed > 0 && { failedFile }) })
  else {
    const what = format === 'dynamodb' ? counted(items, 'item') : `${counted(rows, 'row')} of ${counted(items, 'item')}`
    const strange = unknown > 0 ? `, ${unknown} of unknown types` : ''
    print(`Dumped ${what}${strange} to ${folder} in ${seconds.toFixed(1)} s; ${counted(units, 'capacity unit')}.`)
  }
  if (failed > 0 && format !== 'dynamodb')
    throw new Failure(
      `${counted(failed, 'item')} could not be read as declared; see ${failedFile} for each item and its reason`,
    )
}
