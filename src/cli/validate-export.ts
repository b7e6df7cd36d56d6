import { writeFile } from 'node:fs/promises'
import type { SparkResults, ValidateOptions, ValidateResult, ValidationFinding } from '../batch/index.js'
import type { BatchData } from '../batch/open-batch.js'
import { findingLine } from '../batch/validation/findings.js'
import { open } from '../graph/open.js'
import type { Layout } from '../layout/layout.js'
import { CommandFailure } from './command-failure.js'
import { rethrowTableError } from './connection/table-errors.js'
import { runWithStore } from './connection/with-store.js'
import { type LoadedGraph, loadGraph } from './graph-file/load-graph.js'
import type { InspectOptions } from './inspect-options.js'
import type { BatchEngineOptions } from './options-batch.js'
import { formatCount, print, printJson } from './terminal/output.js'
import { startProgressLine } from './terminal/progress-line.js'
import { abortOnStop } from './terminal/stop-signal.js'
import { formatReport } from './verify/command.js'
import { withData } from './with-batch.js'
import { withSpark } from './with-spark.js'

interface ValidationOptions extends InspectOptions, BatchEngineOptions {
  readonly from?: readonly string[]
  readonly findings?: string
  readonly offline?: boolean
  readonly memory?: string
  readonly threads?: number
}

const REPAIR = 'run `edgewise repair --findings FILE` to repair the inconsistencies.'

/** Validates an export, and confirms its inconsistencies in the table. */
export async function validateCommand(file: string, options: ValidationOptions): Promise<void> {
  if (options.type !== undefined || options.id !== undefined || options.checkpoint !== undefined)
    throw new CommandFailure('verify: a whole export is validated; leave out --type, --id and --checkpoint.')
  if (options.offline) {
    const loaded = await loadGraph(file, options)
    const { name } = loaded.layout.design
    return withItems(loaded, options, data => validated(name, data, undefined, options))
  }
  await runWithStore(file, options, async on => {
    const live = await open(on.layout, on.store, { table: on.table, create: false, follow: false }).catch(
      rethrowTableError(on),
    )
    return withItems(on, options, data => validated(on.table, data, live, options))
  })
}

/** Works on the items of the export, or on what Spark found in it. */
function withItems(
  loaded: LoadedGraph,
  options: ValidationOptions,
  work: (data: BatchData | SparkResults) => Promise<void>,
): Promise<void> {
  const { engine, results, from } = options
  const isSpark = engine === 'spark' || results !== undefined
  return isSpark ? withSpark(loaded, 'validation', options, work) : withData(loaded, from!, options, work)
}

async function validated(
  table: string,
  data: BatchData | SparkResults,
  live: object | undefined,
  { json, findings: path }: ValidationOptions,
): Promise<void> {
  const { validate } = await import('../batch/index.js')
  const found: ValidationFinding[] = []
  const line = startProgressLine()
  const validateOptions: ValidateOptions = {
    ...(live && { live }),
    signal: abortOnStop(),
    onFinding: finding => void found.push(finding),
    progress: ({ read, suspected }) =>
      line.update(() => `${read.toLocaleString('en-US')} items, ${formatCount(suspected, 'inconsistency')}`),
  }
  const done = await validate(data, validateOptions).finally(() => line.clear())
  if (path !== undefined) await writeFile(path, found.map(findingLine).join(''))
  if (json) printJson({ table, moment: data.moment, ...done, found })
  else print(...shown(data.layout, table, done, found))
  if (done.findings > 0)
    throw new CommandFailure(
      path === undefined
        ? `verify: the export has inconsistencies; add --findings FILE, and then ${REPAIR}`
        : `verify: the export has inconsistencies; ${REPAIR}`,
    )
}

/** How many findings are shown one by one. */
const SHOWN = 20

const shown = (
  layout: Layout,
  table: string,
  { read, codes }: ValidateResult,
  found: readonly ValidationFinding[],
): string[] => formatReport(layout, table, { read, repaired: 0, faults: codes }, found.slice(0, SHOWN), false)
