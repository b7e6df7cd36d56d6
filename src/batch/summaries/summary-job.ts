import { checkOptions } from '../../schema/checks/assertions.js'
import { GraphError } from '../../schema/error.js'
import { componentsProgram } from '../algorithms/components.js'
import { degreeProgram } from '../algorithms/degree.js'
import { type DistanceOptions, distancesProgram } from '../algorithms/distances.js'
import type { LinkOptions, ProgramContext } from '../algorithms/graph-tables.js'
import { type HopOptions, hopsProgram } from '../algorithms/hops.js'
import { type LabelOptions, labelProgram } from '../algorithms/label-propagation.js'
import { type PageRankOptions, pageRankProgram } from '../algorithms/page-rank.js'
import type { SqlProgram } from '../algorithms/program.js'
import { type RecommendationOptions, recommendationProgram } from '../algorithms/recommendations.js'
import { type SubtreeSumOptions, subtreeProgram } from '../algorithms/subtree.js'
import { type TriangleOptions, trianglesProgram } from '../algorithms/triangles.js'

/** Which summaries a job writes: attributes with the columns of its result. */
export type SummaryColumns = Readonly<Record<string, string>>

/** A computation whose results become summaries of one type. */
export interface SummaryJob {
  /** Identifies the runs of the job. */
  readonly name: string
  /** The type of node or edge that has the summaries. */
  readonly type: string
  readonly into: SummaryColumns
  /** The text of its computation, which distinguishes jobs of one name. @internal */
  readonly definition: string
  /** @internal */
  readonly program: (context: ProgramContext) => SqlProgram
  /** Whether rows of the result are found by the columns of an identity, instead of by keys. @internal */
  readonly isByIdentity: boolean
}

/** Where the results of a built-in computation go. */
export interface TargetOptions {
  /** The name of the job; by default the computation with its edges, such as `pageRank.follow`. */
  readonly name?: string | undefined
  /** The type of node that has the summaries. */
  readonly node: string
  /** The summary for the main column of the result, or summaries by column: `{ size: 'groupSize' }`. */
  readonly into: string | Readonly<Record<string, string>>
}

/** A query whose rows become summaries. */
export interface SqlJobOptions {
  readonly name: string
  /** The type of node or edge that has the summaries. */
  readonly type: string
  /** Summaries by column of the query. */
  readonly into: Readonly<Record<string, string>>
  /** A query over the views. It returns the columns that identify a row in the view of the type, and those of `into`. */
  readonly sql: string
}

/**
 * A job of your own: a query over the views. A row that the query does not return loses its summaries.
 *
 * @throws {batch.job} if an option is missing.
 * @example
 * ```ts
 * import { sqlJob } from 'edgewise/batch'
 *
 * const spending = sqlJob({
 *   name: 'spending',
 *   type: 'user',
 *   into: { total: 'spent' },
 *   sql: 'SELECT buyer AS id, sum(price) AS total FROM bought GROUP BY buyer',
 * })
 * ```
 */
export function sqlJob(options: SqlJobOptions): SummaryJob {
  checkOptions('sqlJob', options, 'name, type, into, sql')
  const { name, type, into, sql } = options
  const query = sql?.trim().replace(/;+$/, '')
  if (!name || !type || !into || !query)
    throw new GraphError('batch.job', "sqlJob(): 'name', 'type', 'into' or 'sql' is missing; give all of them.")
  return {
    name,
    type,
    into: Object.fromEntries(Object.entries(into).map(([column, attribute]) => [attribute, column])),
    definition: JSON.stringify([type, into, query]),
    program: () => ({ steps: [], result: query }),
    isByIdentity: true,
  }
}

type Edged = { readonly edge: string | readonly string[] }

/** Options as text; those of `distances` may hold ids of any type. */
const definitionText = (parts: readonly unknown[]) =>
  JSON.stringify(parts, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value))

/** A built-in job. Its first column is the main one. */
function builtIn<O extends Edged>(
  kind: string,
  columns: readonly string[],
  known: string,
  targetOptions: TargetOptions & O,
  program: (context: ProgramContext, options: O) => SqlProgram,
): SummaryJob {
  checkOptions(kind, targetOptions, `name, node, into, edge${known && `, ${known}`}`)
  assertNumbers(kind, targetOptions)
  const { name, node, into, ...options } = targetOptions
  const edges = [targetOptions.edge].flat()
  const targets = typeof into === 'string' ? { [columns[0]!]: into } : into
  for (const column of Object.keys(targets ?? {}))
    if (!columns.includes(column))
      throw new GraphError(
        'batch.job',
        `${kind}(): the result has no column '${column}'; use one of ${columns.join(', ')}.`,
      )
  if (!node || !edges[0] || Object.keys(targets ?? {}).length === 0)
    throw new GraphError('batch.job', `${kind}(): 'edge', 'node' or 'into' is missing; give all of them.`)
  return {
    name: name ?? [kind, ...edges].join('.'),
    type: node,
    into: Object.fromEntries(Object.entries(targets).map(([column, attribute]) => [attribute, column])),
    definition: definitionText([kind, node, targets, Object.entries(options).sort()]),
    program: context => program(context, options as unknown as O),
    isByIdentity: false,
  }
}

/** Numbers that become part of a statement, and the least that each may be. */
const LEAST = { damping: 0, iterations: 1, tolerance: 0, top: 1, hops: 1 } as const

function assertNumbers(kind: string, options: object): void {
  const values = new Map<string, unknown>(Object.entries(options))
  for (const [name, least] of Object.entries(LEAST)) {
    const value = values.get(name)
    const isWhole = name !== 'damping' && name !== 'tolerance'
    if (value === undefined && !(name === 'hops' && kind === 'hopCounts')) continue
    if (Number.isFinite(value) && (value as number) >= least && (!isWhole || Number.isInteger(value))) continue
    const what = isWhole ? 'a whole number' : 'a number'
    throw new GraphError('batch.job', `${kind}(): '${name}' is not ${what} from ${least}; correct it.`, { name })
  }
}

/**
 * Counts the links of each node (`degree`), and sums their weights (`total`).
 *
 * @throws {batch.job} if an option is missing or out of range.
 * @example
 * ```ts
 * import { degree } from 'edgewise/batch'
 *
 * const job = degree({ edge: 'follow', node: 'user', into: { degree: 'followers' }, from: 'follower' })
 * ```
 */
export const degree = (options: TargetOptions & LinkOptions): SummaryJob =>
  builtIn('degree', ['degree', 'total'], 'from, weight', options, degreeProgram)

/**
 * Ranks nodes by PageRank (`rank`). All ranks of a tenant add up to 1.
 *
 * @throws {batch.job} if an option is missing or out of range.
 * @example
 * ```ts
 * import { pageRank } from 'edgewise/batch'
 *
 * const job = pageRank({ edge: 'follow', node: 'user', into: 'rank' })
 * ```
 */
export const pageRank = (options: TargetOptions & PageRankOptions): SummaryJob =>
  builtIn('pageRank', ['rank'], 'from, weight, damping, iterations, tolerance, directed', options, pageRankProgram)

/**
 * Finds which nodes are connected: the id of the first node of the component (`component`), and its size (`size`).
 *
 * @throws {batch.job} if an option is missing or out of range.
 * @example
 * ```ts
 * import { connectedComponents } from 'edgewise/batch'
 *
 * const job = connectedComponents({ edge: 'follow', node: 'user', into: { component: 'group', size: 'groupSize' } })
 * ```
 */
export const connectedComponents = (options: TargetOptions & Pick<LinkOptions, 'edge'>): SummaryJob =>
  builtIn('connectedComponents', ['component', 'size'], '', options, componentsProgram)

/**
 * Counts triangles (`triangles`), and computes the clustering coefficient (`clustering`).
 *
 * @throws {batch.job} if an option is missing or out of range.
 * @example
 * ```ts
 * import { triangles } from 'edgewise/batch'
 *
 * const job = triangles({ edge: 'follow', node: 'user', into: { triangles: 'triangles', clustering: 'clustering' } })
 * ```
 */
export const triangles = (options: TargetOptions & TriangleOptions): SummaryJob =>
  builtIn('triangles', ['triangles', 'clustering'], 'directed', options, trianglesProgram)

/**
 * Finds communities by label propagation: the id of one of their nodes (`community`).
 *
 * @throws {batch.job} if an option is missing or out of range.
 * @example
 * ```ts
 * import { labelPropagation } from 'edgewise/batch'
 *
 * const job = labelPropagation({ edge: 'follow', node: 'user', into: 'community', iterations: 10 })
 * ```
 */
export const labelPropagation = (options: TargetOptions & LabelOptions): SummaryJob =>
  builtIn('labelPropagation', ['community'], 'from, weight, iterations', options, labelProgram)

/**
 * Recommends nodes that share the most neighbors (`recommended`), with the number that the best one shares (`common`).
 *
 * @throws {batch.job} if an option is missing or out of range.
 * @example
 * ```ts
 * import { recommendations } from 'edgewise/batch'
 *
 * const job = recommendations({ edge: 'follow', node: 'user', into: 'suggested', top: 5 })
 * ```
 */
export const recommendations = (options: TargetOptions & RecommendationOptions): SummaryJob =>
  builtIn('recommendations', ['recommended', 'common'], 'from, top, directed', options, recommendationProgram)

/**
 * Counts the other nodes within a number of hops (`reached`).
 *
 * @throws {batch.job} if an option is missing or out of range.
 * @example
 * ```ts
 * import { hopCounts } from 'edgewise/batch'
 *
 * const job = hopCounts({ edge: 'follow', node: 'user', into: 'reach', hops: 2 })
 * ```
 */
export const hopCounts = (options: TargetOptions & HopOptions): SummaryJob =>
  builtIn('hopCounts', ['reached'], 'from, hops, directed', options, hopsProgram)

/**
 * Sums an attribute over each node and all below it in a tree (`total`).
 *
 * @throws {batch.job} if an option is missing or out of range.
 * @example
 * ```ts
 * import { subtreeSums } from 'edgewise/batch'
 *
 * const job = subtreeSums({ edge: 'reportsTo', node: 'employee', into: 'payroll', parent: 'manager', of: 'salary' })
 * ```
 */
export const subtreeSums = (options: TargetOptions & SubtreeSumOptions): SummaryJob =>
  builtIn('subtreeSums', ['total'], 'parent, of', options, subtreeProgram)

/**
 * Measures the shortest distance from given nodes (`distance`).
 *
 * @throws {batch.job} if an option is missing or out of range.
 * @example
 * ```ts
 * import { distances } from 'edgewise/batch'
 *
 * const job = distances({ edge: 'follow', node: 'user', into: 'distance', sources: ['ann'] })
 * ```
 */
export const distances = (options: TargetOptions & DistanceOptions): SummaryJob =>
  builtIn('distances', ['distance'], 'from, weight, sources, directed', options, distancesProgram)
