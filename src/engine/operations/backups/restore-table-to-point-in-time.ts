import type {
  RestoreTableToPointInTimeInput,
  RestoreTableToPointInTimeOutput,
} from '../../../dynamodb/operation-types.js'
import { toBackupSource } from '../../backups/backup.js'
import { restoreTable } from '../../backups/restore-table.js'
import type { Engine } from '../../engine.js'
import { tableArn } from '../../tables/arns.js'
import { findTableForBackup } from '../../tables/continuous-backups.js'
import { resolveRestoreTimeMs, resolveSourceTableName } from './restore-table-to-point-in-time.validation.js'

/** Restores the items of an earlier moment with the current indexes, capacity and encryption of the table. */
export function restoreTableToPointInTime(
  engine: Engine,
  request: RestoreTableToPointInTimeInput,
): RestoreTableToPointInTimeOutput {
  const table = findTableForBackup(engine, resolveSourceTableName(engine, request))
  const untilMs = resolveRestoreTimeMs(engine, table, request)
  const TableDescription = restoreTable(engine, {
    name: request.TargetTableName,
    source: toBackupSource(table),
    overrides: request,
    summary: { SourceTableArn: tableArn(engine, table.name), RestoreDateTime: new Date(untilMs ?? engine.now()) },
    fill(spaceName) {
      engine.keyValues.copy(table.description.TableId!, spaceName)
      if (untilMs !== undefined) table.recovery!.undoChanges(engine.keyValues.space(spaceName), untilMs)
    },
  })
  return { TableDescription }
}
