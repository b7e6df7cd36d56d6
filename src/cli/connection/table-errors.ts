import type { Layout } from '../../layout/layout.js'
import { backfillCommandHint } from '../backfill/command-hint.js'
import { CommandFailure } from '../command-failure.js'

interface TableErrorFields {
  readonly code?: string
  readonly message: string
  readonly details?: { readonly changes?: readonly string[] }
}

/** Replaces an error about a missing or outdated table by a message with the command to run. */
export const rethrowTableError =
  ({ file, layout, table }: { readonly file: string; readonly layout: Layout; readonly table: string }) =>
  (error: unknown): never => {
    const { code, message, details } = error as TableErrorFields
    const options = 'with the same options'
    // `open` reports a missing table with the first code, and a job without an open graph with the second.
    if (code === 'table.absent' || code === 'store.table')
      throw new CommandFailure(`table '${table}' does not exist; run \`edgewise deploy ${file}\` ${options}`)
    if (code === 'table.mismatch')
      throw new CommandFailure(`${message.replace(CHANGE_TABLE, '')}; run \`edgewise deploy ${file}\` ${options}`)
    if (code === 'layout.drift' && message.endsWith(RUN_BACKFILL))
      throw new CommandFailure(
        `${message.slice(0, -RUN_BACKFILL.length)}; run ${backfillCommandHint(file, layout, details?.changes ?? [])}`,
      )
    throw error
  }

/** The advice of `open`, which is meant for programs: the command gives its own. */
const RUN_BACKFILL = '; run backfill() of edgewise/jobs, or open it with that layout.'
const CHANGE_TABLE = '; change the table or the layout.'
