import { movesIn } from '../jobs/backfill-places.js'
import type { Layout } from '../layout/layout.js'

/** The command that updates the items of a table after these changes of its layout. */
export function backfillHint(file: string, layout: Layout, changes: readonly string[]): string {
  const needsFrom = movesIn(layout, changes).length > 0
  const command = `\`edgewise backfill ${file}${needsFrom ? ' --from PREVIOUS' : ''}\` with the same options`
  return needsFrom ? `${command}, where PREVIOUS is the file of the previous schema` : command
}
