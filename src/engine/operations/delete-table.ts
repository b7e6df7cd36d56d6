import { RECOVERY_DAYS } from '../../dynamodb/limits.js'
import type { TableDescription } from '../../dynamodb/operations/table-description.js'
import type { DeleteTableAnswer, DeleteTableRequest } from '../../dynamodb/operations/tables.js'
import { takeBackup } from '../backups/backup.js'
import type { Engine } from '../engine.js'
import { inUse, validation } from '../errors.js'
import { isPending } from '../policies/change.js'
import { disableStream } from '../streams/register.js'
import { describeTable } from '../tables/describe.js'
import { findTableItself } from '../tables/find.js'
import type { Table } from '../tables/table.js'
import { taggingOf } from '../tables/tagging.js'
import { beginTransition, forgetTable, refuseWhileCreatingOrDeleting, STILL_IN_USE } from '../tables/transition.js'

const DAY_MS = 24 * 3600 * 1000

export function deleteTable(engine: Engine, request: DeleteTableRequest): DeleteTableAnswer {
  const table = findTableItself(engine, request.TableName)
  refuseWhileCreatingOrDeleting(table)
  if (taggingOf(engine, table)) throw inUse(`${STILL_IN_USE}Table tags are being updated: ${table.name}`)
  if (isPending(engine, table.policy))
    throw inUse(`${STILL_IN_USE}Table: ${table.name} has a pending resource-based policy update.`)
  if (table.description.DeletionProtectionEnabled) {
    throw validation(
      'Resource cannot be deleted as it is currently protected against deletion. Disable deletion protection first.',
    )
  }
  refuseWhileUpdating(engine, table)
  const description = asDeleting(describeTable(engine, table))
  if (table.pointInTimeRecovery) keepDeleted(engine, table)
  disableStream(engine, table)
  beginTransition(engine, table, description)
  if (!table.transition) forgetTable(engine, table)
  return { TableDescription: description }
}

/** What could be restored to any moment can be restored to its last for as long again. */
function keepDeleted(engine: Engine, table: Table): void {
  const expiryMs = Math.floor(engine.now()) + RECOVERY_DAYS * DAY_MS
  takeBackup(engine, table, { name: `${table.name}$DeletedTableBackup`, type: 'SYSTEM', expiryMs })
}

function refuseWhileUpdating(engine: Engine, table: Table): void {
  if (table.underWay.length === 0) return
  const { GlobalSecondaryIndexes = [], VectorIndexes = [] } = describeTable(engine, table)
  if ([...GlobalSecondaryIndexes, ...VectorIndexes].some(index => index.IndexStatus !== 'ACTIVE'))
    throw inUse(`${STILL_IN_USE}Cannot delete table while indexes are being created, updated, or deleted.`)
  if (table.underWay.some(({ subjects }) => subjects.includes('stream')))
    throw inUse(`${STILL_IN_USE}Cannot delete table while stream is being enabled/disabled.`)
  throw inUse(`${STILL_IN_USE}Table: ${table.name} is in the process of being updated.`)
}

/** The service's answer no longer tells how the table is made up. */
function asDeleting(description: TableDescription): TableDescription {
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
