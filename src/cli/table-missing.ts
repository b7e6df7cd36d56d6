import { Failure } from './failure.js'

/** Says how a table is made that is not there. */
export const tableMissing =
  (file: string, table: string) =>
  (error: unknown): never => {
    // Who opens a graph is told the one, a job that opens none the other.
    if (!['table.absent', 'store.table'].includes((error as { code?: string }).code!)) throw error
    throw new Failure(`there is no table '${table}': run \`edgewise deploy ${file}\` first, with the same options`)
  }
