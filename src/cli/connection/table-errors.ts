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
    const deployAdvice = `run \`edgewise deploy ${file}\` with the same options`
    // `open` reports a missing table with the first code, and a job without an open graph with the second.
    if (code === 'table.absent' || code === 'store.table')
      throw new CommandFailure(`table '${table}': the table does not exist; ${deployAdvice}.`)
    if (code === 'table.mismatch') throw new CommandFailure(replaceAdvice(message, CHANGE_TABLE, deployAdvice))
    if (code === 'layout.drift' && message.endsWith(RUN_BACKFILL)) {
      const backfillAdvice = `run ${backfillCommandHint(file, layout, details?.changes ?? [])}`
      throw new CommandFailure(replaceAdvice(message, RUN_BACKFILL, backfillAdvice))
    }
    throw error
  }

const replaceAdvice = (message: string, old: string, advice: string) => `${message.replace(old, '')}; ${advice}.`

/** The advice of `open`, which is meant for programs: the command gives its own. */
const RUN_BACKFILL = '; run backfill() of edgewise/jobs, or open it with that layout.'
const CHANGE_TABLE = '; change the table or the layout.'
