import { parseOptions } from '../../graph/arguments.js'
import { type Layout, layoutOf } from '../../layout/layout.js'
import { GraphError } from '../../schema/error.js'
import type { AnyType, Graph } from '../../schema/graph.js'
import type { SummaryJob } from '../summaries/summary-job.js'
import { readingPlan, type SparkPlan, sparkContext, summarySparkJob, VALIDATION } from './plan.js'
import { validationSteps } from './validation-plan.js'

/** What a plan reads and computes. */
export interface SparkPlanOptions {
  /** The folder or the `s3://` address of an export, or of a full export and its incremental exports in order. */
  readonly from?: string | readonly string[] | undefined
  /** The summary jobs that run. */
  readonly jobs?: readonly SummaryJob[] | undefined
  /** Whether all derived data is validated, for `validate`. */
  readonly validation?: boolean | undefined
}

/**
 * Makes the plan of summary jobs and a validation for Spark: SQL and iterations as plain JSON. All of them run over the items of one export,
 * which is read once. `runSpark` runs the plan on this machine, and `packageSpark` writes it for a cluster.
 *
 * @throws {batch.job} if a job does not fit the graph.
 *
 * @example
 * ```ts
 * import { edge, graph, node, string, summary } from 'edgewise'
 * import { pageRank, sparkPlan } from 'edgewise/batch'
 *
 * const user = node('user', { id: string(), rank: summary() }, { id: 'id' })
 * const follow = edge('follow', { follower: user, followed: user })
 * const social = graph('social', [user, follow])
 * const ranking = pageRank({ edge: 'follow', node: 'user', into: 'rank' })
 * const plan = sparkPlan(social, { from: './export', jobs: [ranking] })
 * ```
 */
export function sparkPlan<T extends AnyType, Tenant extends boolean>(
  graphOrLayout: Graph<T, Tenant> | Layout<T, Tenant>,
  options: SparkPlanOptions,
): SparkPlan {
  parseOptions('sparkPlan', options, 'from, jobs, validation')
  const { jobs = [], from = [], validation = false } = options
  const context = sparkContext(layoutOf(graphOrLayout))
  const names = jobs.map(({ name }) => name)
  const twice = names.find((name, at) => names.indexOf(name) < at)
  if (twice !== undefined)
    throw new GraphError('batch.job', `sparkPlan(): two jobs have the name '${twice}'; rename one of them.`, {
      name: twice,
    })
  if (names.length === 0 && !validation)
    throw new GraphError('batch.job', 'sparkPlan(): nothing would run; give a job, or validation: true.')
  return {
    ...readingPlan(context, [from].flat()),
    jobs: [
      ...jobs.map(job => summarySparkJob(context, job)),
      ...(validation ? [{ name: VALIDATION, ...validationSteps(context) }] : []),
    ],
  }
}
