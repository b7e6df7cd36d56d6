import { RESTORES } from '../../dynamodb/limits.js'
import type { RestoreOverrides, RestoreSummary, TableDescription } from '../../dynamodb/operation-types.js'
import type { Engine } from '../engine.js'
import { limitExceededError, ServiceError } from '../errors.js'
import { fillIndex } from '../indexes/maintain-indexes.js'
import { validateCreateTable } from '../operations/tables/create-table.validation.js'
import { buildRestoredTable } from '../tables/build-table.js'
import { toTableDescription } from '../tables/description/table-description.js'
import type { Table } from '../tables/table.js'
import { beginTransition, pendingRestoreOf, settleTable } from '../tables/table-transition.js'
import { billedBytesOf } from '../vectors/billed-bytes.js'
import { fillVectorIndexes } from '../vectors/maintain-vector-indexes.js'
import type { BackupSource } from './backup.js'
import { checkRestoreOverrides } from './overrides.validation.js'
import { toRestoredDefinition } from './restored-definition.js'

export interface TableRestore {
  readonly name: string
  readonly source: BackupSource
  readonly overrides: RestoreOverrides
  readonly summary: Pick<RestoreSummary, 'SourceBackupArn' | 'SourceTableArn' | 'RestoreDateTime'>
  /** Checks what the service checks only after the overrides and the definition. */
  check?(): void
  /** Copies the items into the space with this name. */
  fill(spaceName: string): void
}

/**
 * Creates a table from the definition and items of another table, and returns its description. Must run within a write.
 */
export function restoreTable(engine: Engine, restore: TableRestore): TableDescription {
  const { name, source, overrides, summary } = restore
  checkRestoreOverrides(source, overrides)
  checkTargetIsFree(engine, name)
  const definition = structuredClone(toRestoredDefinition(name, source, overrides))
  validateCreateTable(definition)
  restore.check?.()
  checkRestoreQuota(engine)
  const table = buildRestoredTable(engine, definition)
  restore.fill(table.description.TableId!)
  countItems(table)
  for (const index of table.indexes) fillIndex(table, index)
  fillVectorIndexes(table)
  engine.tables.set(name, table)
  const description = toRestoringDescription(
    toTableDescription(engine, table),
    { ...summary, RestoreInProgress: true },
    definition,
  )
  beginTransition(engine, table, description)
  return description
}

function checkTargetIsFree(engine: Engine, name: string): void {
  const existing = engine.tables.get(name)
  if (!existing || !settleTable(engine, existing)) return
  const under = pendingRestoreOf(engine, existing)
  if (!under) throw new ServiceError('TableAlreadyExistsException', `Table already exists: ${name}`)
  const { SourceBackupArn } = under
  throw new ServiceError(
    'TableInUseException',
    SourceBackupArn
      ? `Table: ${name} is already being restored from backup: ${SourceBackupArn}`
      : 'A target table with the specified name is either being created or deleted.',
  )
}

function checkRestoreQuota(engine: Engine): void {
  const pendingRestores = [...engine.tables.values()].filter(table => pendingRestoreOf(engine, table))
  if (pendingRestores.length >= RESTORES)
    throw limitExceededError(
      `Subscriber limit exceeded: Only ${RESTORES} restore operations can be done simultaneously`,
    )
}

function countItems(table: Table): void {
  table.space.range({ from: '', to: undefined, reverse: false }, stored => {
    table.itemCount++
    table.sizeBytes += billedBytesOf(table, stored)
    return true
  })
}

/**
 * Describes the table as the service does until the restore is complete: always with a billing mode, and with no items.
 */
function toRestoringDescription(
  description: TableDescription,
  RestoreSummary: RestoreSummary,
  { BillingMode }: { BillingMode?: 'PROVISIONED' | 'PAY_PER_REQUEST' | undefined },
): TableDescription {
  const { WarmThroughput: _, ...rest } = description
  const { LocalSecondaryIndexes, GlobalSecondaryIndexes, VectorIndexes } = rest
  for (const index of GlobalSecondaryIndexes ?? []) {
    delete index.IndexStatus
    delete index.WarmThroughput
  }
  for (const index of VectorIndexes ?? []) index.IndexStatus = 'CREATING'
  for (const index of [...(LocalSecondaryIndexes ?? []), ...(GlobalSecondaryIndexes ?? []), ...(VectorIndexes ?? [])])
    Object.assign(index, { ItemCount: 0, IndexSizeBytes: 0 })
  return {
    ...rest,
    TableStatus: 'CREATING',
    ItemCount: 0,
    TableSizeBytes: 0,
    BillingModeSummary: { BillingMode },
    RestoreSummary,
  }
}
