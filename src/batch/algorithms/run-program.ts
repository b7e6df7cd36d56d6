import { GraphError } from '../../schema/error.js'
import type { AbortSignalLike } from '../../store/abort-signal.js'
import type { Database } from '../duckdb.js'
import { sqlName } from '../sql-text.js'
import type { SqlStep } from './program.js'

/** Runs the steps of a program. Its tables stay, for the query of its result. */
export async function runSteps(database: Database, steps: readonly SqlStep[], signal?: AbortSignalLike): Promise<void> {
  for (const step of steps) {
    signal?.throwIfAborted()
    if ('create' in step) await database.run(`CREATE OR REPLACE TEMP TABLE ${sqlName(step.create)} AS ${step.as}`)
    else await runLoop(database, step, signal)
  }
}

async function runLoop(
  database: Database,
  { repeat, times, until, unfinished }: Extract<SqlStep, { readonly repeat: unknown }>,
  signal?: AbortSignalLike,
): Promise<void> {
  for (let round = 0; round < times; round++) {
    await runSteps(database, repeat, signal)
    if (until === undefined) continue
    const [row] = await database.rows(until)
    if (Object.values(row!)[0] === true) return
  }
  if (unfinished !== undefined) throw new GraphError('batch.job', unfinished)
}
