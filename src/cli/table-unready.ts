import { Failure } from './failure.js'

/** Says by which command a table is made that is not there, or brought up where it is not as the schema has it. */
export const tableUnready =
  (file: string, table: string) =>
  (error: unknown): never => {
    const { code, message } = error as { readonly code?: string; readonly message: string }
    const options = 'with the same options'
    // Who opens a graph is told the one, a job that opens none the other.
    if (code === 'table.absent' || code === 'store.table')
      throw new Failure(`there is no table '${table}': run \`edgewise deploy ${file}\` first, ${options}`)
    if (code === 'table.mismatch') throw new Failure(`${message}: run \`edgewise deploy ${file}\` first, ${options}`)
    if (code === 'layout.drift' && message.includes('run backfill()'))
      throw new Failure(`${message}; here that is \`edgewise backfill ${file}\`, ${options}`)
    throw error
  }
