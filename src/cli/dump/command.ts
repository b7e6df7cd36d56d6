import { open as openGraph } from '../../graph/open.js'
import { type DumpCounts, type DumpCursor, dump } from '../../jobs/dump/dump.js'
import type { Layout } from '../../layout/layout.js'
import type { DeclaredType } from '../../layout/slots.js'
import { CommandFailure, InterruptedFailure, UsageFailure } from '../command-failure.js'
import { rethrowTableError } from '../connection/table-errors.js'
import { runWithStore, type StoreContext } from '../connection/with-store.js'
import { AppendOnlyLines } from '../files/append-only-lines.js'
import { AtomicJsonFile, siblingBaseOf } from '../files/atomic-json-file.js'
import { OTHER_CHECKPOINT, toForeignCheckpointFailure } from '../files/file-failures.js'
import { assertTenantOption, selectTypes } from '../graph-file/selected-types.js'
import { storeName } from '../load/checkpoint.js'
import type { SchemaOptions, StoreOptions } from '../options.js'
import { formatCount, print, printJson } from '../terminal/output.js'
import { startProgressLine } from '../terminal/progress-line.js'
import { abortOnStop, StopSignalError } from '../terminal/stop-signal.js'
import { createOutputs, createOutputTest, type DumpFormat, type DumpMark, prepareFolder } from './outputs.js'
import { createDumpRate } from './progress-rate.js'

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

interface DumpCheckpoint {
  readonly of: object
  /** A run that was interrupted before its first page has no checkpoint. */
  readonly place?: DumpCursor
  readonly mark: DumpMark
  readonly failedBytes: number
}

/** Dumps a table into a folder, and continues an interrupted run of the same dump. */
export async function dumpCommand(file: string, folder: string, options: DumpOptions): Promise<void> {
  await runWithStore(file, options, async context => {
    const { layout, table } = context
    const siblingBase = siblingBaseOf(folder)
    const types = selectDumpTypes(layout, options)
    const checkpointFile = new AtomicJsonFile(options.checkpoint ?? `${siblingBase}.checkpoint`)
    const { format, type, tenant, escapeFormulas } = options
    const identity = {
      fingerprint: layout.fingerprint,
      table,
      store: storeName(options),
      format,
      type,
      tenant,
      escapeFormulas,
    }
    const previous = options.restart ? undefined : await resumeDump(checkpointFile, identity)
    const graph = await openGraph(layout, context.store, { table, create: false }).catch(rethrowTableError(context))
    await prepareFolder(folder, previous?.mark, options.restart ?? false, createOutputTest(layout, format, types))
    const failedLines = new AppendOnlyLines(
      `${siblingBase}.failed.jsonl`,
      previous?.failedBytes ?? 0,
      'give another folder',
    )
    if (!previous) await failedLines.clear()
    // From this point, the files in the folder are known to belong to this dump.
    if (!previous) await checkpointFile.write({ of: identity, mark: {}, failedBytes: 0 } satisfies DumpCheckpoint)
    try {
      await runDump(context, graph, types, folder, options, { checkpointFile, identity, previous, failedLines })
    } finally {
      await failedLines.close()
    }
  })
}

interface DumpRun {
  readonly checkpointFile: AtomicJsonFile
  readonly identity: object
  readonly previous: DumpCheckpoint | undefined
  readonly failedLines: AppendOnlyLines
}

async function runDump(
  { layout }: StoreContext,
  graph: object,
  types: readonly DeclaredType[],
  folder: string,
  options: DumpOptions,
  { checkpointFile, identity, previous, failedLines }: DumpRun,
): Promise<void> {
  const outputs = createOutputs(layout, options, folder, types)
  await outputs.begin(previous?.mark)
  const signal = abortOnStop()
  const line = startProgressLine()
  const startMs = performance.now()
  const rate = createDumpRate(previous?.place, startMs)
  let lastPlace = previous?.place
  const saveProgress = (place: DumpCursor) =>
    checkpointFile.write({
      of: identity,
      place,
      mark: outputs.mark(),
      failedBytes: failedLines.sizeBytes,
    } satisfies DumpCheckpoint)
  try {
    const counts = await dump(
      graph,
      async (page, place) => {
        if (page.failed.length > 0) await failedLines.append(page.failed)
        const isSafe = await outputs.add(page)
        lastPlace = place
        if (isSafe) await saveProgress(place)
        line.update(() => rate(place, outputs.bytes, performance.now()))
      },
      {
        from: previous?.place,
        segments: options.segments,
        consistent: options.consistent ?? false,
        types: options.format === 'dynamodb' ? undefined : types.map(({ name }) => name),
        tenant: options.tenant,
        signal,
      },
    )
    await outputs.flush()
    line.clear()
    // An unreadable checkpoint is reported and removed; the next dump starts over.
    await checkpointFile.remove()
    reportDump(counts, outputs.bytes, startMs, failedLines.path, folder, options)
  } catch (error) {
    line.clear()
    if (!(error instanceof StopSignalError)) throw error
    await outputs.flush()
    if (lastPlace) await saveProgress(lastPlace)
    const items = formatCount(lastPlace?.items ?? 0, 'item')
    throw new InterruptedFailure(
      `dump: a signal stopped the command after ${items}; run the same command again to continue.`,
      error,
    )
  } finally {
    await outputs.close()
  }
}

function selectDumpTypes(layout: Layout, { type, tenant, format, escapeFormulas }: DumpOptions): DeclaredType[] {
  if (escapeFormulas && format !== 'csv')
    throw new UsageFailure('--escape-formulas: the option is only for CSV; add --format csv.')
  const types = selectTypes(layout, type)
  assertTenantOption(layout, tenant)
  if (format === 'dynamodb' && (type || tenant))
    throw new CommandFailure('--format dynamodb: this format exports every item; remove --type and --tenant.')
  return types
}

async function resumeDump(checkpointFile: AtomicJsonFile, identity: object): Promise<DumpCheckpoint | undefined> {
  const checkpoint = (await checkpointFile.read()) as DumpCheckpoint | undefined
  if (!checkpoint || JSON.stringify(checkpoint.of) === JSON.stringify(identity)) return checkpoint
  throw toForeignCheckpointFailure(checkpointFile.path, `add --restart to start over, or ${OTHER_CHECKPOINT}`)
}

function reportDump(
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
    const dumped =
      format === 'dynamodb'
        ? formatCount(items, 'item')
        : `${formatCount(rows, 'row')} of ${formatCount(items, 'item')}`
    const unknownNote = unknown > 0 ? `, ${unknown} of unknown types` : ''
    print(
      `Dumped ${dumped}${unknownNote} to ${folder} in ${seconds.toFixed(1)} s; ${formatCount(units, 'capacity unit')}.`,
    )
  }
  if (failed > 0 && format !== 'dynamodb')
    throw new CommandFailure(
      `dump: ${formatCount(failed, 'item')} could not be read as declared; see ${failedFile} for each item and its reason.`,
    )
}
