import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { open as openGraph } from '../../graph/open.js'
import { type LoadItemsCounts, loadItems } from '../../jobs/load/load-items.js'
import { CommandFailure, InterruptedFailure } from '../command-failure.js'
import { rethrowTableError } from '../connection/table-errors.js'
import { CREATES_TABLE, runWithLoadedGraph, type StoreContext } from '../connection/with-store.js'
import { loadGraph } from '../graph-file/load-graph.js'
import type { SchemaOptions, StoreOptions } from '../options.js'
import { formatCount, print, printJson } from '../terminal/output.js'
import { startProgressLine } from '../terminal/progress-line.js'
import { abortOnStop, StopSignalError } from '../terminal/stop-signal.js'
import { type LoadableExport, readExportFolder } from './export-folder.js'
import { type LoadInput, toLoadInput } from './inputs.js'

interface LoadItemsOptions extends SchemaOptions, StoreOptions {
  readonly concurrency?: number
}

/** Loads the items of exports as they are: a full export, and the incremental ones after it. */
export async function loadItemsCommand(
  file: string,
  paths: readonly string[],
  options: LoadItemsOptions,
): Promise<void> {
  const loaded = await loadGraph(file, options)
  const exports: NamedExport[] = []
  for (const path of paths) exports.push({ path, of: await readExportFolder(await exportIn(path)) })
  for (const [at, { path, of }] of exports.entries()) if (at > 0) assertFollows(exports[at - 1]!, { path, of })
  const files = exports.flatMap(({ of }) => of.files)
  const inputs = await Promise.all(files.map(name => toLoadInput(loaded.layout, name, {}, name)))
  await runWithLoadedGraph(loaded, options, on => run(on, inputs, options), CREATES_TABLE)
}

/** The folder with the manifests, which may be the only one within folders. */
async function exportIn(path: string): Promise<string> {
  const names = await readdir(path).catch((error: NodeJS.ErrnoException) => {
    throw new CommandFailure(
      error.code === 'ENOENT'
        ? `${path}: the folder does not exist; check the path.`
        : `${path}: this is not the folder of an export; give --items a folder with a manifest.`,
    )
  })
  if (names.includes('manifest-files.json')) return path
  const within: string[] = []
  for (const name of names)
    if (name !== 'data' && (await stat(join(path, name))).isDirectory()) within.push(join(path, name))
  if (within.length === 1) return exportIn(within[0]!)
  if (within.length === 0)
    throw new CommandFailure(`${path}: the folder has no export; name a folder with manifest-files.json.`)
  throw new CommandFailure(
    `${path}: the folder has several exports (${within.join(', ')}); name them in the order of their times.`,
  )
}

interface NamedExport {
  readonly path: string
  readonly of: LoadableExport
}

/** Rejects exports of different tables, and exports with a gap between them. */
function assertFollows(before: NamedExport, { path, of }: NamedExport): void {
  if (of.type !== 'INCREMENTAL_EXPORT')
    throw new CommandFailure(
      `${path}: only the first export can be a full one; give one full export, and then its incremental exports.`,
    )
  if (before.of.tableId !== undefined && of.tableId !== undefined && before.of.tableId !== of.tableId)
    throw new CommandFailure(`${path}: the export is of another table than ${before.path}; give exports of one table.`)
  if (before.of.toMs !== undefined && of.fromMs !== undefined && of.fromMs > before.of.toMs)
    throw new CommandFailure(
      `${path}: the export begins at ${new Date(of.fromMs).toISOString()}, after ${before.path} ends; give the export between them.`,
    )
  if (before.of.toMs !== undefined && of.toMs !== undefined && of.toMs < before.of.toMs)
    throw new CommandFailure(
      `${path}: the export ends before ${before.path} does; give the exports in the order of their times.`,
    )
}

async function run(on: StoreContext, inputs: readonly LoadInput[], options: LoadItemsOptions): Promise<void> {
  const { layout, store, table } = on
  await openGraph(layout, store, { table }).catch(rethrowTableError(on))
  const line = startProgressLine()
  try {
    const { names } = layout
    const keyNames = [names.partition, names.sort].filter(name => name !== '')
    const counts = await loadItems(store, table, inputs, {
      keyNames,
      concurrency: options.concurrency,
      signal: abortOnStop(),
      progress: ({ put, deleted }) => line.update(() => `${put + deleted} items`),
    })
    line.clear()
    report(counts, options)
  } catch (error) {
    if (!(error instanceof StopSignalError)) throw error
    throw new InterruptedFailure(
      'load: a signal stopped the command; run the same command again to load all items from the beginning.',
      error,
    )
  } finally {
    line.clear()
  }
}

function report(counts: LoadItemsCounts, { json }: LoadItemsOptions): void {
  if (json) printJson(counts)
  else print(`Loaded ${formatCount(counts.put, 'item')}${counts.deleted > 0 ? `, deleted ${counts.deleted}` : ''}.`)
}
