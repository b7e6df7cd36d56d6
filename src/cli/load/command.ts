import { resolve } from 'node:path'
import { open as openGraph } from '../../graph/open.js'
import { type LoadCounts, type LoadPlace, load } from '../../jobs/load/load.js'
import { Failure, Interrupted } from '../failure.js'
import { besideOf, KeptFile, Notes } from '../kept-file.js'
import { KeptLines } from '../kept-lines.js'
import { inStore, MAKES, type OnStore } from '../on-store.js'
import type { SchemaOptions, StoreOptions } from '../options.js'
import { counted, print, printJson } from '../output.js'
import { progress } from '../progress.js'
import { loadGraph } from '../schema-file.js'
import { abortOnStop, Stopped } from '../stop-signal.js'
import { tableUnready } from '../table-unready.js'
import { typesAsked } from '../types-asked.js'
import { filesOf, type LoadIdentity, resumed, storeName } from './checkpoint.js'
import { checkThere, type Input, type InputOptions, inputsOf } from './inputs.js'
import { type Rates, ratesOf } from './rates.js'
import { type Spooled, STANDARD_INPUT, spooled } from './standard-input.js'

interface LoadOptions extends SchemaOptions, StoreOptions, InputOptions {
  readonly tenant?: string
  readonly existing: 'replace' | 'leave'
  readonly concurrency?: number
  readonly failed?: string
  readonly checkpoint?: string
  readonly restart?: boolean
}

/** Loads files into a table, from where an earlier run of the same was cut off. */
export async function loadCommand(file: string, data: readonly string[], options: LoadOptions): Promise<void> {
  const loaded = await loadGraph(file, options)
  if (options.tenant !== undefined && !loaded.layout.graph.declared.tenant)
    throw new Failure('the graph has no tenants; remove --tenant')
  // Before a folder is made for it.
  if (options.type !== undefined) typesAsked(loaded.layout, [options.type])
  await checkThere(data)
  await inStore(
    loaded,
    options,
    async on => {
      const standard = await standardInput(data, options)
      try {
        await loadFiles(on, data, options, standard?.path)
      } finally {
        await standard?.remove()
      }
    },
    MAKES,
  )
}

async function standardInput(data: readonly string[], { checkpoint }: LoadOptions): Promise<Spooled | undefined> {
  const times = data.filter(path => path === STANDARD_INPUT).length
  if (times === 0) return undefined
  if (times > 1) throw new Failure('standard input can be read only once; give - once')
  if (checkpoint !== undefined) throw new Failure('a load of standard input cannot be continued; remove --checkpoint')
  return spooled()
}

async function loadFiles(on: OnStore, data: readonly string[], options: LoadOptions, standard: string | undefined) {
  const inputs = await inputsOf(on.layout, data, options, standard)
  const beside = besideOf(data[0] === STANDARD_INPUT ? 'standard-input' : data[0]!)
  // What cannot be read again cannot be gone on with.
  const kept = standard === undefined ? new KeptFile(options.checkpoint ?? `${beside}.checkpoint`) : undefined
  const failedPath = options.failed ?? `${beside}.failed.jsonl`
  checkApart(inputs, [failedPath, ...(kept ? [kept.path] : [])])
  const of = identityOf(on, inputs, options)
  if (options.restart) await kept?.remove()
  const before = kept && (await resumed(kept, of))
  const failed = new KeptLines(failedPath, before?.failedBytes ?? 0, '--failed')
  if (!before) await failed.clear()
  const rates = ratesOf(inputs, before?.place)
  try {
    const counts = await run(on, inputs, options, { kept, of, failed, from: before?.place, rates })
    await kept?.remove()
    report(counts, rates, failed.path, options)
  } finally {
    await failed.close()
  }
}

/** What is written over must not be what is to be loaded. */
function checkApart(inputs: readonly Input[], written: readonly string[]): void {
  const data = new Set(inputs.map(({ name }) => resolve(name)))
  const both = written.find(path => data.has(resolve(path)))
  if (both !== undefined)
    throw new Failure(`${both} is one of the data files; give other files for --failed and --checkpoint`)
}

function identityOf({ layout, table }: OnStore, inputs: readonly Input[], options: LoadOptions): LoadIdentity {
  const { existing, tenant } = options
  return {
    fingerprint: layout.fingerprint,
    table,
    store: storeName(options),
    existing,
    tenant,
    files: filesOf(inputs),
  }
}

interface Run {
  readonly kept: KeptFile | undefined
  readonly of: LoadIdentity
  readonly failed: KeptLines
  readonly from: LoadPlace | undefined
  readonly rates: Rates
}

async function run(
  on: OnStore,
  inputs: readonly Input[],
  { existing, tenant, concurrency }: LoadOptions,
  { kept, of, failed, from, rates }: Run,
): Promise<LoadCounts> {
  const { layout, store, table } = on
  const graph = await openGraph(layout, store, { table }).catch(tableUnready(on))
  const signal = abortOnStop()
  const line = progress()
  const notes = kept && new Notes(kept)
  let last: LoadPlace | undefined
  try {
    return await load(graph, inputs, {
      from,
      existing,
      tenant,
      concurrency,
      signal,
      failed: rows => failed.add(rows),
      progress: async place => {
        last = place
        await notes?.note({ of, place, failedBytes: failed.sizeBytes })
        line.say(() => rates.text(place))
      },
    })
  } catch (error) {
    await notes?.settle()
    if (!(error instanceof Stopped)) throw error
    const rest = kept ? 'to continue' : 'with the same rows; rows that it already wrote are written again, unchanged'
    const rows = counted(last?.written ?? 0, 'row')
    throw new Interrupted(`stopped after ${rows}; run the same command again ${rest}`, error)
  } finally {
    line.end()
  }
}

function report(counts: LoadCounts, rates: Rates, failedFile: string, { json }: LoadOptions): void {
  const { written, left, failed, units } = counts
  const { seconds, bytes } = rates.soFar()
  if (json) printJson({ ...counts, seconds, bytes, ...(failed > 0 && { failedFile }) })
  else {
    const parts = [
      `Loaded ${counted(written, 'row')}`,
      ...(left > 0 ? [`left ${left} existing`] : []),
      ...(failed > 0 ? [`${failed} failed`] : []),
    ]
    print(`${parts.join(', ')}, in ${rates.end(counts)}; ${counted(units, 'capacity unit')}.`)
  }
  if (failed > 0)
    throw new Failure(`${counted(failed, 'row')} could not be loaded; see ${failedFile} for each row and its reason`)
}
