import type { SummaryJob } from '../batch/index.js'
import { CommandFailure } from './command-failure.js'
import type { LoadedGraph } from './graph-file/load-graph.js'

/** The job that a schema file exports by this name, or whose own name it is. */
export function jobNamed({ file, exports }: LoadedGraph, name: string): SummaryJob {
  const jobs = Object.entries(exports).filter(([, value]) => isJob(value)) as [string, SummaryJob][]
  const found = jobs.find(([exported, job]) => exported === name || job.name === name)
  if (found) return found[1]
  const known = jobs.map(([exported]) => exported).join(', ')
  throw new CommandFailure(
    known
      ? `${file}: the file exports no job '${name}'; use one of ${known}.`
      : `${file}: the file exports no job; add a job, for example \`export const ranking = pageRank({ … })\` with edgewise/batch.`,
  )
}

/** Another copy of the package may have made the job, so instanceof does not work. */
const isJob = (value: unknown): value is SummaryJob =>
  typeof value === 'object' && value !== null && typeof (value as Partial<SummaryJob>).program === 'function'
