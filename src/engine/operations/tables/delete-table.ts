import { RECOVERY_DAYS } from '../../../dynamodb/limits.js'
import type { DeleteTableInput, DeleteTableOutput, TableDescription } from '../../../dynamodb/operation-types.js'
import { takeBackup } from '../../backups/backup.js'
import type { Engine } from '../../engine.js'
import { inUseError, validationError } from '../../errors.js'
import { isPolicyPending } from '../../policies/change-policy.js'
import { disableStream } from '../../streams/stream-register.js'
import { toTableDescription } from '../../tables/description/table-description.js'
import { findControlPlaneTable } from '../../tables/find-table.js'
import type { Table } from '../../tables/table.js'
import {
  beginTransition,
  checkNotCreatingOrDeleting,
  removeTable,
  STILL_IN_USE,
} from '../../tables/table-transition.js'
import { pendingTagUpdateOf } from '../../tables/tag-update.js'

const DAY_MS = 24 * 3600 * 1000

export function deleteTable(engine: Engine, request: DeleteTableInput): DeleteTableOutput {
  const table = findControlPlaneTable(engine, request.TableName)
  checkNotCreatingOrDeleting(table)
  if (pendingTagUpdateOf(engine, table)) throw inUseError(`${STILL_IN_USE}Table tags are being updated: ${table.name}`)
  if (isPolicyPending(engine, table.policy))
    throw inUseError(`${STILL_IN_USE}Table: ${table.name} has a pending resource-based policy update.`)
  if (table.description.DeletionProtectionEnabled) {
    throw validationError(
      'Resource cannot be deleted as it is currently protected against deletion. Disable deletion protection first.',
    )
  }
  checkNotUpdating(engine, table)
  const description = toDeletingDescription(toTableDescription(engine, table))
  if (table.pointInTimeRecovery) takeSystemBackup(engine, table)
  disableStream(engine, table)
  beginTransition(engine, table, description)
  if (!table.transition) removeTable(engine, table)
  return { TableDescription: description }
}

/**
 * A table with point-in-time recovery gets a system backup, so that its last state can be restored for the same period.
 */
function takeSystemBackup(engine: Engine, table: Table): void {
  const expiryMs = Math.floor(engine.now()) + RECOVERY_DAYS * DAY_MS
  takeBackup(engine, table, { name: `${table.name}$DeletedTableBackup`, type: 'SYSTEM', expiryMs })
}

function checkNotUpdating(engine: Engine, table: Table): void {
  if (table.underWay.length === 0) return
  const { GlobalSecondaryIndexes = [], VectorIndexes = [] } = toTableDescription(engine, table)
  if ([...GlobalSecondaryIndexes, ...VectorIndexes].some(index => index.IndexStatus !== 'ACTIVE'))
    throw inUseError(`${STILL_IN_USE}Cannot delete table while indexes are being created, updated, or deleted.`)
  if (table.underWay.some(({ subjects }) => subjects.includes('stream')))
    throw inUseError(`${STILL_IN_USE}Cannot delete table while stream is being enabled/disabled.`)
  throw inUseError(`${STILL_IN_USE}Table: ${table.name} is in the process of being updated.`)
}

/** Describes a table as the response of DeleteTable does, without keys and indexes. */
function toDeletingDescription(description: TableDescription): TableDescription {
  const {
    AttributeDefinitions,
    KeySchema,
    CreationDateTime,
    LocalSecondaryIndexes,
    GlobalSecondaryIndexes,
    VectorIndexes,
    WarmThroughput,
    ...rest
  } = description
  return { ...rest, TableStatus: 'DELETING' }
}
