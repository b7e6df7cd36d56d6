import type {
  RestoreTableToPointInTimeAnswer,
  RestoreTableToPointInTimeRequest,
} from '../../dynamodb/operations/backups.js'
import { sourceOf } from '../backups/backup.js'
import { restoreTable } from '../backups/restore.js'
import type { Engine } from '../engine.js'
import { tableArn } from '../tables/arns.js'
import { findBackedUp } from '../tables/continuous-backups.js'
import { restorableMs, sourceTableName } from './restore-table-to-point-in-time.validation.js'

/** The items are those of then; indexes, capacity and encryption are those that the table has now. */
export function restoreTableToPointInTime(
  engine: Engine,
  request: RestoreTableToPointInTimeRequest,
): RestoreTableToPointInTimeAnswer {
  const table = findBackedUp(engine, sourceTableName(engine, request))
  const untilMs = restorableMs(engine, table, request)
  const TableDescription = restoreTable(engine, {
    name: request.TargetTableName,
    source: sourceOf(table),
    overrides: request,
    summary: { SourceTableArn: tableArn(engine, table.name), RestoreDateTime: new Date(untilMs ?? engine.now()) },
    fill(spaceName) {
      engine.keyValues.copy(table.description.TableId!, spaceName)
      if (untilMs !== undefined) table.recovery!.undo(engine.keyValues.space(spaceName), untilMs)
    },
  })
  return { TableDescription }
}
