import { existsSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Layout, layout } from '../../layout/layout.js'
import type { AnyType, Graph } from '../../schema/graph.js'
import { CommandFailure } from '../command-failure.js'
import type { SchemaOptions } from '../options.js'
import { packageFilePath, readManifest } from '../package-files.js'
import { toLoadFailure } from './load-failure.js'

/** A graph found in a file. */
export interface LoadedGraph {
  /** The path as the user wrote it. */
  readonly file: string
  /** The name of its export. */
  readonly name: string
  readonly graph: Graph<AnyType, boolean>
  readonly layout: Layout
  readonly exports: Readonly<Record<string, unknown>>
}

type GraphExport = Pick<LoadedGraph, 'name' | 'graph'> & { readonly layout: Layout | undefined }

/** Finds the graph that a file exports: the only one, or the one with the given name. */
export async function loadGraph(file: string, options: SchemaOptions = {}): Promise<LoadedGraph> {
  const exports = await loadFile(file)
  const { name, graph, layout: exportedLayout } = chooseExport(file, findGraphExports(exports), options.export)
  try {
    return { file, name, graph, layout: exportedLayout ?? layout(graph), exports }
  } catch (error) {
    throw toLoadFailure(file, error)
  }
}

/** Imports a TypeScript or JavaScript file and returns its exports. */
async function loadFile(file: string): Promise<Record<string, unknown>> {
  const path = resolve(file)
  if (!existsSync(path))
    throw new CommandFailure(`${file}: the file does not exist; give the file that declares your graph.`)
  if (!statSync(path).isFile())
    throw new CommandFailure(`${file}: this is a folder; give the file in it that declares your graph.`)
  const { createJiti } = await import('jiti')
  const options = { interopDefault: false, fsCache: false, alias: packageAliases(path) }
  const loader = (tsconfigPaths: boolean) => createJiti(pathToFileURL(path).href, { ...options, tsconfigPaths })
  let jiti: ReturnType<typeof loader>
  try {
    // Resolves imports like a bundled program.
    jiti = loader(true)
  } catch {
    // Its tsconfig.json may extend a configuration that is not installed here.
    jiti = loader(false)
  }
  const idle = createIdleGuard(file)
  process.once('beforeExit', idle.reject)
  const { write } = process.stdout
  // Output of the file must not mix with the JSON output of the command.
  process.stdout.write = process.stderr.write.bind(process.stderr)
  try {
    return await Promise.race([jiti.import<Record<string, unknown>>(path), idle.promise])
  } catch (error) {
    throw toLoadFailure(file, error)
  } finally {
    process.off('beforeExit', idle.reject)
    process.stdout.write = write
  }
}

/**
 * Rejects when nothing is left that could settle a top-level await of the file: the process would exit without a
 * message.
 */
function createIdleGuard(file: string): { readonly promise: Promise<never>; readonly reject: () => void } {
  let reject = () => {}
  const promise = new Promise<never>((_, fail) => {
    const advice = 'find the await that waits for nothing, and remove it'
    reject = () =>
      fail(
        new CommandFailure(
          `${file}: the file never finishes loading, because a top-level await does not settle; ${advice}.`,
        ),
      )
  })
  return { promise, reject }
}

/** Returns the project's own copy of edgewise, or else this one. */
function packageAliases(path: string): Record<string, string> {
  try {
    createRequire(path).resolve('edgewise/package.json')
    return {}
  } catch {
    const entries = Object.entries(readManifest().exports).filter(([, target]) => target.endsWith('.js'))
    return Object.fromEntries(entries.map(([entry, target]) => [`edgewise${entry.slice(1)}`, packageFilePath(target)]))
  }
}

/** Checks the shape instead of the class, because a second copy of the package may have created the value. */
function findGraphExports(exports: Readonly<Record<string, unknown>>): GraphExport[] {
  // The default export is also `export =` of TypeScript, or module.exports.
  const all = isGraph(exports) || isLayout(exports) ? { default: exports } : exports
  return Object.entries(all).flatMap(([name, value]): GraphExport[] => {
    if (isLayout(value)) return [{ name, graph: value.graph, layout: value }]
    if (isObject(value) && isLayout(value.$layout)) return [{ name, graph: value.$layout.graph, layout: value.$layout }]
    return isGraph(value) ? [{ name, graph: value, layout: undefined }] : []
  })
}

/** A value may have two exported names, and a graph may be exported together with its layout or handle. */
function distinctExports(all: readonly GraphExport[]): GraphExport[] {
  const graphsWithLayout = new Set(all.flatMap(({ graph, layout }) => (layout ? [graph] : [])))
  return all
    .filter(({ graph, layout }) => layout || !graphsWithLayout.has(graph))
    .filter(
      ({ graph, layout }, i, rest) =>
        rest.findIndex(other => other.graph === graph && other.layout?.fingerprint === layout?.fingerprint) === i,
    )
}

function chooseExport(file: string, all: readonly GraphExport[], exportName: string | undefined): GraphExport {
  const names = (of: readonly GraphExport[]) => of.map(({ name }) => name).join(', ')
  const chosen = all.find(({ name }) => name === (exportName ?? 'default'))
  if (chosen) return chosen
  if (all.length === 0)
    throw new CommandFailure(
      `${file}: the file exports no graph; add \`export default graph('name', [ … ])\`, or export its layout().`,
    )
  if (exportName !== undefined)
    throw new CommandFailure(`${file}: the file exports no graph '${exportName}'; use one of ${names(all)}.`)
  const [first, ...others] = distinctExports(all)
  if (others.length === 0) return first!
  const several = names([first!, ...others])
  throw new CommandFailure(
    `${file}: the file exports several graphs (${several}); choose one, for example with --export ${first!.name}.`,
  )
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

const isGraph = (value: unknown): value is Graph<AnyType, boolean> =>
  isObject(value) &&
  Array.isArray(value.types) &&
  isObject(value.declared) &&
  Array.isArray(value.declared.nodes) &&
  Array.isArray(value.declared.edges)

const isLayout = (value: unknown): value is Layout =>
  isObject(value) && Array.isArray(value.kinds) && isObject(value.design) && isGraph(value.graph)
