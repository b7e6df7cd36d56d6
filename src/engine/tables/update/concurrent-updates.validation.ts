import type {
  GlobalSecondaryIndexUpdate,
  SSESpecification,
  TableDescription,
  UpdateTableInput,
  VectorIndexUpdate,
} from '../../../dynamodb/operation-types.js'
import type { Engine } from '../../engine.js'
import { inUseError } from '../../errors.js'
import { describeEncryption, isKmsEncryption } from '../description/table-description.js'
import type { UpdateSubject } from '../pending-update.js'
import type { Table } from '../table.js'
import { STILL_IN_USE } from '../table-transition.js'
import { singleIndexChangeError } from './indexes.validation.js'
import { type ChangeName, countIndexChanges, deletedIndexNamesOf, requestedChangesOf } from './requested-changes.js'
import { billingOf, checkOnDemandBounds } from './throughput.validation.js'

/**
 * Throws if an update conflicts with updates in progress. The conflicts and messages were observed in us-west-2 in
 * October 2026. Deletion protection and warm throughput conflict with nothing. Messages that were observed truncated,
 * those of indexes during updates of streams and classes, are completed like similar ones.
 */
export function checkConcurrentUpdates(
  engine: Engine,
  table: Table,
  live: TableDescription,
  request: UpdateTableInput,
) {
  if (table.underWay.length === 0) return
  checkIndexConflicts(live, request)
  const pending = toPendingWork(table, live)
  // Until a change to on-demand mode is complete, limits are checked against the previous mode.
  if (request.OnDemandThroughput && pending.has('billing') && billingOf(live) === 'PAY_PER_REQUEST')
    checkOnDemandBounds(request.OnDemandThroughput, 'PROVISIONED', 'table')
  for (const change of requestedChangesOf(request)) {
    const why = findConflict(change, request, pending)
    if (why) throw inUseError(STILL_IN_USE + why)
  }
  if (request.SSESpecification && pending.has('encryption'))
    checkSameEncryption(engine, table, request.SSESpecification)
}

interface PendingWork {
  readonly has: (...subjects: UpdateSubject[]) => boolean
  readonly live: TableDescription
  /** `Table: Orders`, the end of most messages. */
  readonly table: string
  /** The class that the table is changing to. */
  readonly wantedClass: string
  /** The names of indexes in their allocation phase, and of those being deleted; undefined without any. */
  readonly creating: string | undefined
  readonly deleting: string | undefined
}

function toPendingWork({ name, underWay, description }: Table, live: TableDescription): PendingWork {
  const names = (status: string) => {
    const indexes = indexesOf(live).filter(({ IndexStatus, Backfilling }) => IndexStatus === status && !Backfilling)
    return indexes.length > 0 ? `[${indexes.map(({ IndexName }) => IndexName).join(', ')}]` : undefined
  }
  return {
    has: (...subjects) => underWay.some(update => update.subjects.some(subject => subjects.includes(subject))),
    live,
    table: `Table: ${name}`,
    wantedClass: `TableClassUpdateInProgress: ${description.TableClassSummary?.TableClass}`,
    creating: names('CREATING'),
    deleting: names('DELETING'),
  }
}

function findConflict(change: ChangeName, request: UpdateTableInput, busy: PendingWork): string | undefined {
  switch (change) {
    case 'DeletionProtectionEnabled':
    case 'SSESpecification':
    case 'WarmThroughput':
      return undefined
    case 'ProvisionedThroughput':
    case 'BillingMode':
      return findUnitsConflict(request, busy)
    case 'StreamSpecification':
      return findStreamConflict(busy)
    case 'TableClass':
      return findClassConflict(busy)
    case 'OnDemandThroughput':
      return findBoundsConflict(busy)
    default:
      return countIndexChanges(request) > 0 ? findIndexConflict(busy) : findOtherConflict(busy)
  }
}

function findUnitsConflict(request: UpdateTableInput, busy: PendingWork): string | undefined {
  const { creating, deleting, table } = busy
  if (busy.has('units', 'billing')) return `Table IOPS are currently being updated. ${table}`
  // Setting the current billing mode is not a change.
  if (!request.ProvisionedThroughput && request.BillingMode === billingOf(busy.live)) return undefined
  if (creating) return `Can't change table IOPS when an index is being created. ${table} Indexes: ${creating}`
  if (deleting) return `Can't change table IOPS when an index is being deleted. ${table} Indexes: ${deleting}`
  return findOtherConflict(busy)
}

function findStreamConflict(busy: PendingWork): string | undefined {
  const { creating, deleting, table, wantedClass } = busy
  if (busy.has('units', 'billing')) return `Can't enable or disable stream while table IOPS are being updated. ${table}`
  if (creating) return `Can't change stream status when an index is being created. ${table} Indexes: ${creating}`
  if (deleting) return `Can't change stream status when an index is being deleted. ${table} Indexes: ${deleting}`
  if (busy.has('class'))
    return `Can't change stream status when a table class update is in progress. ${table} ${wantedClass}`
  return findOtherConflict(busy)
}

function findClassConflict(busy: PendingWork): string | undefined {
  const { table, wantedClass } = busy
  if (busy.has('class'))
    return `Can't update table class when a table class update is in progress. ${table} ${wantedClass}`
  if (busy.has('stream')) return `Can't update table class when stream status is being updated. ${table}`
  return findOtherConflict(busy)
}

function findBoundsConflict(busy: PendingWork): string | undefined {
  const { creating, deleting, wantedClass } = busy
  const not = 'OnDemandThroughput cannot be updated while'
  if (busy.has('class')) return `${not} TableClass update is in progress. ${wantedClass}`
  if (busy.has('stream')) return `${not} stream status update is in progress`
  if (busy.has('billing')) return `${not} BillingMode update is in progress`
  if (creating) return `${not} index creation is in progress for indexes: ${creating}`
  if (deleting) return `${not} index deletion is in progress for indexes: ${deleting}`
  return undefined
}

function findIndexConflict(busy: PendingWork): string | undefined {
  const { table, wantedClass } = busy
  if (busy.has('units', 'billing')) return `Can't create or delete indexes while table IOPS are being updated. ${table}`
  if (busy.has('stream')) return `Can't create or delete an index when stream status is being updated. ${table}`
  if (busy.has('class'))
    return `Can't create or delete an index when a table class update is in progress. ${table} ${wantedClass}`
  return undefined
}

/** Returns a generic message where the service's message was not observed. */
function findOtherConflict(busy: PendingWork): string | undefined {
  const { TableName: name } = busy.live
  return busy.has('units', 'billing', 'stream', 'class') ? `Table is being updated: ${name}` : undefined
}

/** Checks conflicts with updates of the same index and of other indexes. */
function checkIndexConflicts(live: TableDescription, request: UpdateTableInput): void {
  for (const update of [...(request.GlobalSecondaryIndexUpdates ?? []), ...(request.VectorIndexUpdates ?? [])]) {
    const why = findSameIndexConflict(live, update)
    if (why) throw inUseError(STILL_IN_USE + why)
  }
  if (countIndexChanges(request) === 0) return
  const deleted = deletedIndexNamesOf(request)
  const others = indexesOf(live).filter(
    ({ IndexName, IndexStatus }) =>
      (IndexStatus === 'CREATING' || IndexStatus === 'DELETING') && !deleted.includes(IndexName!),
  )
  if (others.length > 0) throw singleIndexChangeError()
}

function indexesOf({ GlobalSecondaryIndexes = [], VectorIndexes = [] }: TableDescription) {
  return [...GlobalSecondaryIndexes, ...VectorIndexes]
}

function findSameIndexConflict(live: TableDescription, update: GlobalSecondaryIndexUpdate | VectorIndexUpdate) {
  const { Create, Delete } = update
  const Update = 'Update' in update ? update.Update : undefined
  const name = (Create ?? Update ?? Delete)!.IndexName
  const index = indexesOf(live).find(({ IndexName }) => IndexName === name)
  const which = `Table: ${live.TableName} Index: ${name}`
  if (index?.IndexStatus === 'DELETING') return `Index is being deleted. ${which}`
  if (Create && 'VectorAttribute' in Create && index?.IndexStatus === 'CREATING')
    return `Index is being created.  ${which}`
  if (!index || Create) return undefined
  if (index.IndexStatus === 'UPDATING') return `Index is being updated. ${which}`
  if (index.IndexStatus !== 'CREATING' || index.Backfilling) return undefined
  return Update
    ? `Index is being created but is not backfilling yet. ${which}`
    : 'Index creation is in resource allocation phase. Retry deletion during backfilling phase or when the index is ' +
        `active. ${which}`
}

/** A request for the pending encryption is allowed. */
function checkSameEncryption(engine: Engine, { description }: Table, wanted: SSESpecification): void {
  const arn = isKmsEncryption(wanted) ? describeEncryption(engine, wanted).KMSMasterKeyArn : undefined
  if (arn !== description.SSEDescription?.KMSMasterKeyArn)
    throw inUseError(`${STILL_IN_USE}Server-Side Encryption is still being updated`)
}
