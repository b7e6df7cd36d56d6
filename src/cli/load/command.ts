import { resolve } from 'node:path'
import { open as openGraph } from '../../graph/open.js'
import { type LoadCounts, type LoadCursor, load } from '../../jobs/load/load.js'
import { CommandFailure, InterruptedFailure } from '../command-failure.js'
import { rethrowTableError } from '../connection/table-errors.js'
import { CREATES_TABLE, runWithLoadedGraph, type StoreContext } from '../connection/with-store.js'
import { AppendOnlyLines } from '../files/append-only-lines.js'
import { AtomicJsonFile, CheckpointWriter, siblingBaseOf } from '../files/atomic-json-file.js'
import { loadGraph } from '../graph-file/load-graph.js'
import { assertTenantOption, selectTypes } from '../graph-file/selected-types.js'
import type { SchemaOptions, StoreOptions } from '../options.js'
import { formatCount, print, printJson } from '../terminal/output.js'
import { startProgressLine } from '../terminal/progress-line.js'
import { abortOnStop, StopSignalError } from '../terminal/stop-signal.js'
import { fileIdentitiesOf, type LoadIdentity, resumeLoad, storeName } from './checkpoint.js'
import { assertInputsExist, type InputOptions, type LoadInput, resolveInputs } from './inputs.js'
import { createLoadRate, type LoadRate } from './progress-rate.js'
import { type SpooledInput, STANDARD_INPUT, spoolStandardInput } from './standard-input.js'

interface LoadOptions extends SchemaOptions, StoreOptions, InputOptions {
  readonly tenant?: string
  readonly existing: 'replace' | 'leave'
  readonly concurrency?: number
  readonly failed?: string
  readonly checkpoint?: string
  readonly restart?: boolean
}

/** Loads files into a table, and continues an interrupted run of the same load. */
export async function loadCommand(file: string, data: readonly string[], options: LoadOptions): Promise<void> {
  const loaded = await loadGraph(file, options)
  assertTenantOption(loaded.layout, options.tenant)
  // Checks the tenant before the command creates a folder.
  if (options.type !== undefined) selectTypes(loaded.layout, [options.type])
  await assertInputsExist(data)
  await runWithLoadedGraph(
    loaded,
    options,
    async context => {
      const standard = await spoolIfGiven(data, options)
      try {
        await loadFiles(context, data, options, standard?.path)
      } finally {
        await standard?.remove()
      }
    },
    CREATES_TABLE,
  )
}

async function spoolIfGiven(data: readonly string[], { checkpoint }: LoadOptions): Promise<SpooledInput | undefined> {
  const times = data.filter(path => path === STANDARD_INPUT).length
  if (times === 0) return undefined
  if (times > 1) throw new CommandFailure('-: standard input can be read only once; give - once.')
  if (checkpoint !== undefined)
    throw new CommandFailure('--checkpoint: a load of standard input cannot be continued; remove --checkpoint.')
  return spoolStandardInput()
}

async function loadFiles(
  context: StoreContext,
  data: readonly string[],
  options: LoadOptions,
  standard: string | undefined,
) {
  const inputs = await resolveInputs(context.layout, data, options, standard)
  const siblingBase = siblingBaseOf(data[0] === STANDARD_INPUT ? 'standard-input' : data[0]!)
  // Standard input cannot be read again, so its load cannot continue.
  const checkpointFile =
    standard === undefined ? new AtomicJsonFile(options.checkpoint ?? `${siblingBase}.checkpoint`) : undefined
  const failedPath = options.failed ?? `${siblingBase}.failed.jsonl`
  assertSeparateFiles(inputs, [failedPath, ...(checkpointFile ? [checkpointFile.path] : [])])
  const identity = loadIdentityOf(context, inputs, options)
  if (options.restart) await checkpointFile?.remove()
  const previous = checkpointFile && (await resumeLoad(checkpointFile, identity))
  const failedLines = new AppendOnlyLines(failedPath, previous?.failedBytes ?? 0, 'give another file with --failed')
  if (!previous) await failedLines.clear()
  const rates = createLoadRate(inputs, previous?.place)
  try {
    const counts = await runLoad(context, inputs, options, {
      checkpointFile,
      identity,
      failedLines,
      from: previous?.place,
      rates,
    })
    await checkpointFile?.remove()
    reportLoad(counts, rates, failedLines.path, options)
  } finally {
    await failedLines.close()
  }
}

/** The output files must not overwrite the data files. */
function assertSeparateFiles(inputs: readonly LoadInput[], written: readonly string[]): void {
  const data = new Set(inputs.map(({ name }) => resolve(name)))
  const overlap = written.find(path => data.has(resolve(path)))
  if (overlap !== undefined)
    throw new CommandFailure(
      `${overlap}: this is one of the data files; give other files for --failed and --checkpoint.`,
    )
}

function loadIdentityOf(
  { layout, table }: StoreContext,
  inputs: readonly LoadInput[],
  options: LoadOptions,
): LoadIdentity {
  const { existing, tenant } = options
  return {
    fingerprint: layout.fingerprint,
    table,
    store: storeName(options),
    existing,
    tenant,
    files: fileIdentitiesOf(inputs),
  }
}

interface LoadRun {
  readonly checkpointFile: AtomicJsonFile | undefined
  readonly identity: LoadIdentity
  readonly failedLines: AppendOnlyLines
  readonly from: LoadCursor | undefined
  readonly rates: LoadRate
}

async function runLoad(
  context: StoreContext,
  inputs: readonly LoadInput[],
  { existing, tenant, concurrency }: LoadOptions,
  { checkpointFile, identity, failedLines, from, rates }: LoadRun,
): Promise<LoadCounts> {
  const { layout, store, table } = context
  const graph = await openGraph(layout, store, { table }).catch(rethrowTableError(context))
  const signal = abortOnStop()
  const line = startProgressLine()
  const checkpointWriter = checkpointFile && new CheckpointWriter(checkpointFile)
  let lastPlace: LoadCursor | undefined
  try {
    return await load(graph, inputs, {
      from,
      existing,
      tenant,
      concurrency,
      signal,
      failed: rows => failedLines.append(rows),
      progress: async place => {
        lastPlace = place
        await checkpointWriter?.save({ of: identity, place, failedBytes: failedLines.sizeBytes })
        line.update(() => rates.formatProgress(place))
      },
    })
  } catch (error) {
    await checkpointWriter?.flush()
    if (!(error instanceof StopSignalError)) throw error
    const advice = checkpointFile ? 'to continue' : 'with the same rows, because a repeated write changes nothing'
    const rows = formatCount(lastPlace?.written ?? 0, 'row')
    throw new InterruptedFailure(
      `load: a signal stopped the command after ${rows}; run the same command again ${advice}.`,
      error,
    )
  } finally {
    line.clear()
  }
}

function reportLoad(counts: LoadCounts, rates: LoadRate, failedFile: string, { json }: LoadOptions): void {
  const { written, skipped, failed, units } = counts
  const { seconds, bytes } = rates.totals()
  if (json) printJson({ ...counts, seconds, bytes, ...(failed > 0 && { failedFile }) })
  else {
    const parts = [
      `Loaded ${formatCount(written, 'row')}`,
      ...(skipped > 0 ? [`left ${skipped} existing`] : []),
      ...(failed > 0 ? [`${failed} failed`] : []),
    ]
    print(`${parts.join(', ')}, in ${rates.formatTotal(counts)}; ${formatCount(units, 'capacity unit')}.`)
  }
  if (failed > 0)
    throw new CommandFailure(
      `load: ${formatCount(failed, 'row')} could not be loaded; see ${failedFile} for each row and its reason.`,
    )
}
