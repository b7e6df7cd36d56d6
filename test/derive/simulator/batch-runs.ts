import { duckdbDialect } from '../../../src/batch/dialect.js'
import type { Database } from '../../../src/batch/duckdb.js'
import { type JobResult, runJob, type SummaryJob } from '../../../src/batch/index.js'
import { BatchData } from '../../../src/batch/open-batch.js'
import { typeViews } from '../../../src/batch/views/create-views.js'
import type { Item } from '../../../src/dynamodb/index.js'
import type { Layout } from '../../../src/layout/layout.js'
import type { Random } from './random.js'
import { COLUMNS, JOBS, resultRows } from './summaries.js'

/** The items of a table at a moment, as an export or a Scan has them. */
export interface Snapshot {
  readonly items: readonly Item[]
  readonly momentMs: number
}

/** Rows of one chunk, so that a job has several blocks and returns cursors. */
const CHUNK_ROWS = 3

/**
 * The data of a job. DuckDB computes in threads of its own, whose timing no seed decides, so its place takes a database
 * that answers the query of the job with results of the snapshot. All that follows, from the comparison of each row with
 * its item to the write, is the code of runJob.
 */
function dataOf(layout: Layout, snapshot: Snapshot, job: SummaryJob, random: Random): BatchData {
  const { items, momentMs } = snapshot
  async function* chunks() {
    const rows = resultRows(layout, items, momentMs, job)
    while (rows.length > 0) yield rows.splice(0, 1 + random.below(CHUNK_ROWS))
  }
  const database: Pick<Database, 'run' | 'rows' | 'query'> = {
    run: async () => {},
    rows: async () => [],
    query: async () => ({ columns: COLUMNS, chunks: chunks() }),
  }
  const views = typeViews({ layout, dialect: duckdbDialect }, momentMs)
  const loaded = { items: items.length, moment: new Date(momentMs).toISOString(), readUnits: 0 }
  return new BatchData(layout, database as Database, duckdbDialect, views, loaded)
}

interface OpenedGraph {
  readonly graph: object
  readonly layout: Layout
}

/** Runs a job over a snapshot. `resume` has the cursor of the last block that was written. */
export function runOver(
  opened: OpenedGraph,
  snapshot: Snapshot,
  job: SummaryJob,
  random: Random,
  resume: { cursor?: string | undefined } = {},
): Promise<JobResult> {
  const data = dataOf(opened.layout, snapshot, job, random)
  return runJob(opened.graph, data, job, {
    cursor: resume.cursor,
    progress: ({ cursor }) => {
      resume.cursor = cursor
    },
  })
}

/**
 * Runs all jobs on a table that nobody writes. A second run of the same moment must write nothing, and a run of a later
 * moment must find nothing to write.
 */
export async function quietRunFault(
  opened: OpenedGraph,
  snapshot: () => Promise<Snapshot>,
  random: Random,
): Promise<string | undefined> {
  const run = (data: Snapshot) => Promise.all(JOBS.map(job => runOver(opened, data, job, random)))
  const data = await snapshot()
  await run(data)
  const { items } = await snapshot()
  const again = await run(data)
  const later = await snapshot()
  if (JSON.stringify(later.items) !== JSON.stringify(items) || again.some(({ ranBefore }) => !ranBefore))
    return 'a second run of the same moment wrote'
  const changed = (await run(later)).reduce((sum, result) => sum + result.changed, 0)
  return changed > 0 ? `a run without changes found ${changed} rows to write` : undefined
}
