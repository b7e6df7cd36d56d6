import { Failure } from './failure.js'

/** Says how a table is made that is not there. */
export const tableMissing =
  (file: string, table: string) =>
  (error: unknown): never => {
    if ((error as { code?: string }).code !== 'table.absent') throw error
    throw new Failure(`there is no table '${table}': run \`edgewise deploy ${file}\` first, with the same options`)
  }
