import { existsSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Layout, layout } from '../layout/layout.js'
import type { AnyType, Graph } from '../schema/graph.js'
import { Failure } from './failure.js'
import { installed, manifest } from './installed.js'
import type { SchemaOptions } from './options.js'
import { loadFailure } from './schema-failure.js'

/** A graph that was found in a file. */
export interface Loaded {
  /** As it was named. */
  readonly file: string
  /** The name of its export. */
  readonly name: string
  readonly graph: Graph<AnyType, boolean>
  readonly layout: Layout
  readonly exports: Readonly<Record<string, unknown>>
}

type Found = Pick<Loaded, 'name' | 'graph'> & { readonly layout: Layout | undefined }

/** The graph that a file exports: by default, by the name that is given, or as the only one. */
export async function loadGraph(file: string, options: SchemaOptions = {}): Promise<Loaded> {
  const exports = await loadFile(file)
  const { name, graph, layout: given } = choose(file, found(exports), options.export)
  try {
    return { file, name, graph, layout: given ?? layout(graph), exports }
  } catch (error) {
    throw loadFailure(file, error)
  }
}

/** What a file of TypeScript or JavaScript exports. */
async function loadFile(file: string): Promise<Record<string, unknown>> {
  const path = resolve(file)
  if (!existsSync(path)) throw new Failure(`${file} does not exist; give the file that declares your graph`)
  if (!statSync(path).isFile()) throw new Failure(`${file} is a folder; give the file in it that declares your graph`)
  const { createJiti } = await import('jiti')
  const options = { interopDefault: false, fsCache: false, alias: aliases(path) }
  const loader = (tsconfigPaths: boolean) => createJiti(pathToFileURL(path).href, { ...options, tsconfigPaths })
  let jiti: ReturnType<typeof loader>
  try {
    // As a program that is built finds what it imports.
    jiti = loader(true)
  } catch {
    // Its tsconfig.json may extend one that is not installed here.
    jiti = loader(false)
  }
  const idle = untilIdle(file)
  process.once('beforeExit', idle.reject)
  const { write } = process.stdout
  // What it prints must not come between the lines of an answer.
  process.stdout.write = process.stderr.write.bind(process.stderr)
  try {
    return await Promise.race([jiti.import<Record<string, unknown>>(path), idle.promise])
  } catch (error) {
    throw loadFailure(file, error)
  } finally {
    process.off('beforeExit', idle.reject)
    process.stdout.write = write
  }
}

/** Rejects when nothing is left that could settle a top-level await of the file: the process would end without a word. */
function untilIdle(file: string): { readonly promise: Promise<never>; readonly reject: () => void } {
  let reject = () => {}
  const promise = new Promise<never>((_, fail) => {
    const advice = 'find the await that waits for nothing, and remove it'
    reject = () => fail(new Failure(`${file} never finishes loading: a top-level await does not settle; ${advice}`))
  })
  return { promise, reject }
}

/** The project's own copy of edgewise where it has one, or else this one. */
function aliases(path: string): Record<string, string> {
  try {
    createRequire(path).resolve('edgewise/package.json')
    return {}
  } catch {
    const entries = Object.entries(manifest().exports).filter(([, target]) => target.endsWith('.js'))
    return Object.fromEntries(entries.map(([entry, target]) => [`edgewise${entry.slice(1)}`, installed(target)]))
  }
}

/** Recognised by their shape, since they may be made by another copy of the package. */
function found(exports: Readonly<Record<string, unknown>>): Found[] {
  // `export =` of TypeScript, and module.exports, are what is exported by default.
  const all = isGraph(exports) || isLayout(exports) ? { default: exports } : exports
  return Object.entries(all).flatMap(([name, value]): Found[] => {
    if (isLayout(value)) return [{ name, graph: value.graph, layout: value }]
    if (isObject(value) && isLayout(value.$layout)) return [{ name, graph: value.$layout.graph, layout: value.$layout }]
    return isGraph(value) ? [{ name, graph: value, layout: undefined }] : []
  })
}

/** One thing may be exported under two names, and a graph beside its layout or beside its handle. */
function distinct(all: readonly Found[]): Found[] {
  const laidOut = new Set(all.flatMap(({ graph, layout }) => (layout ? [graph] : [])))
  return all
    .filter(({ graph, layout }) => layout || !laidOut.has(graph))
    .filter(
      ({ graph, layout }, i, rest) =>
        rest.findIndex(other => other.graph === graph && other.layout?.fingerprint === layout?.fingerprint) === i,
    )
}

function choose(file: string, all: readonly Found[], asked: string | undefined): Found {
  const names = (of: readonly Found[]) => of.map(({ name }) => name).join(', ')
  const chosen = all.find(({ name }) => name === (asked ?? 'default'))
  if (chosen) return chosen
  if (all.length === 0)
    throw new Failure(`${file} exports no graph; add \`export default graph('name', [ … ])\`, or export its layout()`)
  if (asked !== undefined) throw new Failure(`${file} exports no graph named '${asked}'; use one of ${names(all)}`)
  const [first, ...others] = distinct(all)
  if (others.length === 0) return first!
  const several = names([first!, ...others])
  throw new Failure(`${file} exports several graphs (${several}); choose one, for example --export ${first!.name}`)
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
