import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SparkResults, SummaryJob } from '../batch/index.js'
import { UsageFailure } from './command-failure.js'
import type { LoadedGraph } from './graph-file/load-graph.js'
import type { BatchEngineOptions, SourceOptions } from './options-batch.js'
import { startProgressLine } from './terminal/progress-line.js'
import { abortOnStop } from './terminal/stop-signal.js'

type SparkOptions = BatchEngineOptions & Pick<SourceOptions, 'from' | 'memory' | 'threads'>

/** Works on the results of `--results`, or of a run on the Spark of this machine. */
export async function withSpark<T>(
  { layout }: LoadedGraph,
  job: SummaryJob | 'validation',
  { from, memory, threads, results }: SparkOptions,
  work: (results: SparkResults) => Promise<T>,
): Promise<T> {
  const { openSparkResults, runSpark, sparkPlan } = await import('../batch/index.js')
  if (results !== undefined) return work(openSparkResults(layout, results))
  if (from === undefined) throw new UsageFailure('--engine spark: Spark reads an export and not a table; add --from.')
  const plan = sparkPlan(layout, { from, ...(job === 'validation' ? { validation: true } : { jobs: [job] }) })
  const output = await mkdtemp(join(tmpdir(), 'edgewise-spark-'))
  const line = startProgressLine()
  try {
    line.update(() => 'Spark is running')
    await runSpark(plan, { output, threads, memory, signal: abortOnStop() }).finally(() => line.clear())
    return await work(openSparkResults(layout, output))
  } finally {
    await rm(output, { recursive: true, force: true })
  }
}
