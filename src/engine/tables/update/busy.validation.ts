import type { TableDescription } from '../../../dynamodb/operations/table-description.js'
import type { SSESpecification } from '../../../dynamodb/operations/tables.js'
import type {
  GlobalSecondaryIndexUpdate,
  UpdateTableRequest,
  VectorIndexUpdate,
} from '../../../dynamodb/operations/update-table.js'
import type { Engine } from '../../engine.js'
import { inUse } from '../../errors.js'
import { describeEncryption, isEncrypting } from '../describe.js'
import type { Table } from '../table.js'
import { STILL_IN_USE } from '../transition.js'
import type { Subject } from '../under-way.js'
import { type ChangeName, changesIn, deletedIndexes, indexesMadeOrDeleted } from './changes.js'
import { onlyOneIndex } from './indexes.validation.js'
import { billingOf, checkBounds } from './throughput.validation.js'

/**
 * Refuses what does not go with the updates that are under way. Which go together, and the words for those that do not,
 * were seen in us-west-2 in October 2026; protection, and throughput to be warm for, go with all. Where the words were
 * cut off, which is so of indexes beside streams and classes, they end as those do that are like them.
 */
export function refuseWhileUpdating(engine: Engine, table: Table, live: TableDescription, request: UpdateTableRequest) {
  if (table.underWay.length === 0) return
  checkIndexesAtWork(live, request)
  const busy = busyness(table, live)
  // Until a table is on demand, bounds are held against the mode that it had.
  if (request.OnDemandThroughput && busy.has('billing') && billingOf(live) === 'PAY_PER_REQUEST')
    checkBounds(request.OnDemandThroughput, 'PROVISIONED', 'table')
  for (const change of changesIn(request)) {
    const why = whyNot(change, request, busy)
    if (why) throw inUse(STILL_IN_USE + why)
  }
  if (request.SSESpecification && busy.has('encryption')) checkSameEncryption(engine, table, request.SSESpecification)
}

interface Busyness {
  readonly has: (...subjects: Subject[]) => boolean
  readonly live: TableDescription
  /** `Table: Orders`, with which most refusals end. */
  readonly table: string
  /** The class that the table is given. */
  readonly wantedClass: string
  /** The names of indexes that are given their place, and of those that are deleted, or nothing. */
  readonly creating: string | undefined
  readonly deleting: string | undefined
}

function busyness({ name, underWay, description }: Table, live: TableDescription): Busyness {
  const names = (status: string) => {
    const indexes = indexesOf(live).filter(({ IndexStatus, Backfilling }) => IndexStatus === status && !Backfilling)
    return indexes.length > 0 ? `[${indexes.map(({ IndexName }) => IndexName).join(', ')}]` : undefined
  }
  return {
    has: (...subjects) => underWay.some(each => each.subjects.some(subject => subjects.includes(subject))),
    live,
    table: `Table: ${name}`,
    wantedClass: `TableClassUpdateInProgress: ${description.TableClassSummary?.TableClass}`,
    creating: names('CREATING'),
    deleting: names('DELETING'),
  }
}

function whyNot(change: ChangeName, request: UpdateTableRequest, busy: Busyness): string | undefined {
  switch (change) {
    case 'DeletionProtectionEnabled':
    case 'SSESpecification':
    case 'WarmThroughput':
      return undefined
    case 'ProvisionedThroughput':
    case 'BillingMode':
      return whyNotUnits(request, busy)
    case 'StreamSpecification':
      return whyNotStream(busy)
    case 'TableClass':
      return whyNotClass(busy)
    case 'OnDemandThroughput':
      return whyNotBounds(busy)
    default:
      return indexesMadeOrDeleted(request) > 0 ? whyNotIndex(busy) : whyNotElse(busy)
  }
}

function whyNotUnits(request: UpdateTableRequest, busy: Busyness): string | undefined {
  const { creating, deleting, table } = busy
  if (busy.has('units', 'billing')) return `Table IOPS are currently being updated. ${table}`
  // A mode that the table has already is no change.
  if (!request.ProvisionedThroughput && request.BillingMode === billingOf(busy.live)) return undefined
  if (creating) return `Can't change table IOPS when an index is being created. ${table} Indexes: ${creating}`
  if (deleting) return `Can't change table IOPS when an index is being deleted. ${table} Indexes: ${deleting}`
  return whyNotElse(busy)
}

function whyNotStream(busy: Busyness): string | undefined {
  const { creating, deleting, table, wantedClass } = busy
  if (busy.has('units', 'billing')) return `Can't enable or disable stream while table IOPS are being updated. ${table}`
  if (creating) return `Can't change stream status when an index is being created. ${table} Indexes: ${creating}`
  if (deleting) return `Can't change stream status when an index is being deleted. ${table} Indexes: ${deleting}`
  if (busy.has('class'))
    return `Can't change stream status when a table class update is in progress. ${table} ${wantedClass}`
  return whyNotElse(busy)
}

function whyNotClass(busy: Busyness): string | undefined {
  const { table, wantedClass } = busy
  if (busy.has('class'))
    return `Can't update table class when a table class update is in progress. ${table} ${wantedClass}`
  if (busy.has('stream')) return `Can't update table class when stream status is being updated. ${table}`
  return whyNotElse(busy)
}

function whyNotBounds(busy: Busyness): string | undefined {
  const { creating, deleting, wantedClass } = busy
  const not = 'OnDemandThroughput cannot be updated while'
  if (busy.has('class')) return `${not} TableClass update is in progress. ${wantedClass}`
  if (busy.has('stream')) return `${not} stream status update is in progress`
  if (busy.has('billing')) return `${not} BillingMode update is in progress`
  if (creating) return `${not} index creation is in progress for indexes: ${creating}`
  if (deleting) return `${not} index deletion is in progress for indexes: ${deleting}`
  return undefined
}

function whyNotIndex(busy: Busyness): string | undefined {
  const { table, wantedClass } = busy
  if (busy.has('units', 'billing')) return `Can't create or delete indexes while table IOPS are being updated. ${table}`
  if (busy.has('stream')) return `Can't create or delete an index when stream status is being updated. ${table}`
  if (busy.has('class'))
    return `Can't create or delete an index when a table class update is in progress. ${table} ${wantedClass}`
  return undefined
}

/** Where nobody saw what the service says. */
function whyNotElse(busy: Busyness): string | undefined {
  const { TableName: name } = busy.live
  return busy.has('units', 'billing', 'stream', 'class') ? `Table is being updated: ${name}` : undefined
}

/** An index that is being worked on, and others beside it. */
function checkIndexesAtWork(live: TableDescription, request: UpdateTableRequest): void {
  for (const update of [...(request.GlobalSecondaryIndexUpdates ?? []), ...(request.VectorIndexUpdates ?? [])]) {
    const why = whyNotThisIndex(live, update)
    if (why) throw inUse(STILL_IN_USE + why)
  }
  if (indexesMadeOrDeleted(request) === 0) return
  const deleted = deletedIndexes(request)
  const others = indexesOf(live).filter(
    ({ IndexName, IndexStatus }) =>
      (IndexStatus === 'CREATING' || IndexStatus === 'DELETING') && !deleted.includes(IndexName!),
  )
  if (others.length > 0) throw onlyOneIndex()
}

function indexesOf({ GlobalSecondaryIndexes = [], VectorIndexes = [] }: TableDescription) {
  return [...GlobalSecondaryIndexes, ...VectorIndexes]
}

function whyNotThisIndex(live: TableDescription, update: GlobalSecondaryIndexUpdate | VectorIndexUpdate) {
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

/** What is being done may be asked for again. */
function checkSameEncryption(engine: Engine, { description }: Table, wanted: SSESpecification): void {
  const arn = isEncrypting(wanted) ? describeEncryption(engine, wanted).KMSMasterKeyArn : undefined
  if (arn !== description.SSEDescription?.KMSMasterKeyArn)
    throw inUse(`${STILL_IN_USE}Server-Side Encryption is still being updated`)
}
