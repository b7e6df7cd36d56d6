import { createReadStream, existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createGunzip } from 'node:zlib'
import { type Layout, layoutOf } from '../../layout/layout.js'
import { GraphError } from '../../schema/error.js'
import type { AnyType, Graph } from '../../schema/graph.js'
import type { SqlRow } from '../duckdb.js'
import { assertStoredLayout } from '../sources/assert-layout.js'
import { sourceError } from '../sources/source-error.js'
import { VALIDATION } from './plan.js'
import { parseSparkValue } from './spark-value.js'

interface ResultColumn {
  readonly name: string
  readonly type: string
}

/** The document that a run writes when it is complete. */
interface ResultsDocument {
  readonly version: number
  readonly fingerprint: string
  readonly source: readonly string[]
  readonly moment: string
  readonly items: number
  readonly jobs: Readonly<Record<string, Readonly<Record<string, ResultFiles>>>>
  readonly definitions: Readonly<Record<string, string>>
  /** The item that records the layout of the table. */
  readonly storedLayout: string | null
}

/** The rows of a result, in a folder below that of the run. */
interface ResultFiles {
  readonly folder: string
  readonly columns: readonly ResultColumn[]
  readonly rows: number
}

const DOCUMENT = 'results.json'
const CHUNK_ROWS = 2_048

/** What a run on Spark computed, from the folder that it wrote. */
export class SparkResults {
  /** @internal */
  constructor(
    /** @internal */
    readonly layout: Layout,
    private readonly folder: string,
    private readonly document: ResultsDocument,
  ) {}

  /** The number of items that the run read. */
  get items(): number {
    return this.document.items
  }

  /** The moment of the export that the run read. */
  get moment(): Date {
    return new Date(this.document.moment)
  }

  /** The exports that the run read. @internal */
  get source(): readonly string[] {
    return this.document.source
  }

  /**
   * Throws unless a job with these options, targets and SQL ran.
   *
   * @internal
   */
  assertDefinition(job: string, definition: string): void {
    this.resultsOf(job)
    if (this.document.definitions[job] !== definition)
      throw sourceError(
        this.folder,
        `it has the results of ${titleOf(job)} with other options, targets or SQL`,
        'run the job on Spark again',
      )
  }

  /**
   * The rows of a result of a job, in its order.
   *
   * @internal
   */
  async *rows(job: string, name: string): AsyncGenerator<SqlRow[]> {
    const { columns, rows, folder: inner } = this.resultsOf(job)[name]!
    const folder = join(this.folder, inner)
    let read = 0
    let chunk: SqlRow[] = []
    for (const path of partFiles(folder)) {
      for await (const line of linesOf(path)) {
        chunk.push(rowOf(path, line, columns))
        read++
        if (chunk.length < CHUNK_ROWS) continue
        yield chunk
        chunk = []
      }
    }
    if (chunk.length > 0) yield chunk
    if (read !== rows) throw sourceError(folder, `it has ${read} rows instead of ${rows}`, 'download the results again')
  }

  private resultsOf(job: string): Readonly<Record<string, ResultFiles>> {
    const { jobs } = this.document
    const found = Object.hasOwn(jobs, job) ? jobs[job] : undefined
    if (found) return found
    const titles = Object.keys(jobs).map(titleOf).join(', ')
    throw sourceError(this.folder, `it has no results of ${titleOf(job)}, only of ${titles}`, 'run it on Spark first')
  }
}

const titleOf = (job: string) => (job === VALIDATION ? 'a validation' : `the job '${job}'`)

/**
 * Opens the results of a run on Spark, for `runJob` or `validate`. It reads a local folder, so download results from S3
 * first.
 *
 * @param graphOrLayout The graph that the plan was made from, or its layout.
 * @throws {batch.source} if the folder has no complete results, or those of another graph.
 *
 * @example
 * ```ts
 * import { edge, graph, node, string, summary } from 'edgewise'
 * import { openSparkResults, pageRank, runJob } from 'edgewise/batch'
 *
 * const user = node('user', { id: string(), rank: summary() }, { id: 'id' })
 * const follow = edge('follow', { follower: user, followed: user })
 * const social = graph('social', [user, follow])
 * const ranking = pageRank({ edge: 'follow', node: 'user', into: 'rank' })
 * export async function writeResults(g: Parameters<typeof runJob>[0]) {
 *   await runJob(g, openSparkResults(social, './results'), ranking, { writeUnits: 100 })
 * }
 * ```
 */
export function openSparkResults<T extends AnyType, Tenant extends boolean>(
  graphOrLayout: Graph<T, Tenant> | Layout<T, Tenant>,
  folder: string,
): SparkResults {
  const layout = layoutOf(graphOrLayout)
  const path = join(folder, DOCUMENT)
  if (!existsSync(path))
    throw sourceError(path, 'it does not exist', 'give the folder of a run on Spark that has ended without an error')
  const document = parseDocument(path)
  if (document.fingerprint !== layout.fingerprint)
    throw sourceError(path, 'the results are of a graph with another layout', 'run the job again with this graph')
  if (document.storedLayout) assertStoredLayout(layout, document.storedLayout, document.source[0] ?? folder)
  return new SparkResults(layout, folder, document)
}

function parseDocument(path: string): ResultsDocument {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as ResultsDocument
  } catch {
    throw sourceError(path, 'it is not JSON', 'download the results again')
  }
}

/** The files of a result. Spark numbers them in the order of their rows. */
function partFiles(folder: string): string[] {
  if (!existsSync(folder)) throw sourceError(folder, 'the result is missing', 'download the results again')
  return readdirSync(folder)
    .filter(name => name.startsWith('part-'))
    .sort()
    .map(name => join(folder, name))
}

/** The lines of a file. Only a line feed ends one, since JSON may contain every other line separator. */
async function* linesOf(path: string): AsyncGenerator<string> {
  let rest = ''
  try {
    for await (const text of textsOf(path)) {
      const lines = (rest + text).split('\n')
      rest = lines.pop()!
      yield* lines
    }
  } catch (error) {
    if (error instanceof GraphError) throw error
    throw sourceError(path, `it cannot be read: ${(error as Error).message}`, 'download the results again')
  }
  if (rest !== '') yield rest
}

function textsOf(path: string): AsyncIterable<string> {
  const bytes = createReadStream(path)
  if (!path.endsWith('.gz')) return bytes.setEncoding('utf8')
  const unzipped = createGunzip()
  bytes.once('error', error => unzipped.destroy(error))
  return bytes.pipe(unzipped).setEncoding('utf8')
}

function rowOf(path: string, line: string, columns: readonly ResultColumn[]): SqlRow {
  try {
    const texts = JSON.parse(line) as Readonly<Record<string, string>>
    return Object.fromEntries(columns.map(({ name, type }) => [name, parseSparkValue(type, texts[name])]))
  } catch (error) {
    throw sourceError(path, `a line cannot be read: ${(error as Error).message}`, 'download the results again')
  }
}
