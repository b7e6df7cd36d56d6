import { findMovingChanges } from '../../jobs/backfill/classify-changes.js'
import type { Layout } from '../../layout/layout.js'

/** The command that updates the items of a table after these changes of its layout. */
export function backfillCommandHint(file: string, layout: Layout, changes: readonly string[]): string {
  const needsFrom = findMovingChanges(layout, changes).length > 0
  const command = `\`edgewise backfill ${file}${needsFrom ? ' --from PREVIOUS' : ''}\` with the same options`
  return needsFrom ? `${command}, where PREVIOUS is the file of the previous schema` : command
}
