import type { VectorIndexDescription } from '../../../dynamodb/operations/indexes.js'
import type { TableDescription } from '../../../dynamodb/operations/table-description.js'
import type { UpdateGlobalSecondaryIndexAction, UpdateTableRequest } from '../../../dynamodb/operations/update-table.js'
import { indexesMadeOrDeleted } from './changes.js'
import { billingOf } from './throughput.validation.js'

/** The service's answer speaks of changes that are under way: units and classes are the old ones yet. */
export function asUpdating(
  request: UpdateTableRequest,
  before: TableDescription,
  after: TableDescription,
): TableDescription {
  const shown = structuredClone(after)
  const { ProvisionedThroughput: units, BillingMode, StreamSpecification, TableClass, WarmThroughput } = request
  const updating = units || BillingMode || StreamSpecification || TableClass || indexesMadeOrDeleted(request) > 0
  if (updating) shown.TableStatus = 'UPDATING'
  if (units && !switchesMode(request, before)) shown.ProvisionedThroughput = oldUnits(before, shown)
  if (BillingMode === 'PAY_PER_REQUEST' && switchesMode(request, before))
    delete shown.BillingModeSummary?.LastUpdateToPayPerRequestDateTime
  if (TableClass) showOldClass(shown, before)
  if (WarmThroughput) shown.WarmThroughput = { ...before.WarmThroughput, Status: 'UPDATING' }
  if (request.SSESpecification) shown.SSEDescription = { ...before.SSEDescription, Status: 'UPDATING' }
  if (request.OnDemandThroughput)
    shown.OnDemandThroughput = { ...before.OnDemandThroughput, ...request.OnDemandThroughput }
  if (units || BillingMode) showOldCapacity(shown, before, after)
  showIndexes(request, before, shown)
  return shown
}

/** A table that goes over to the other mode has the new units from the first. */
function switchesMode({ BillingMode }: UpdateTableRequest, before: TableDescription): boolean {
  return BillingMode !== undefined && BillingMode !== billingOf(before)
}

type Provisioned = Pick<TableDescription, 'ProvisionedThroughput'>

function oldUnits({ ProvisionedThroughput: old = {} }: Provisioned, { ProvisionedThroughput: next }: Provisioned) {
  const { ReadCapacityUnits, WriteCapacityUnits, NumberOfDecreasesToday } = old
  return { ...next, NumberOfDecreasesToday, ReadCapacityUnits, WriteCapacityUnits }
}

/** A table is warm for what it was until its capacity is another. One that goes on demand tells of a decrease till then. */
function showOldCapacity(shown: TableDescription, before: TableDescription, after: TableDescription): void {
  if (before.WarmThroughput) shown.WarmThroughput = structuredClone(before.WarmThroughput)
  const had = before.ProvisionedThroughput?.ReadCapacityUnits
  if (!had || after.ProvisionedThroughput?.ReadCapacityUnits) return
  const LastDecreaseDateTime = after.BillingModeSummary?.LastUpdateToPayPerRequestDateTime
  shown.ProvisionedThroughput = { ...shown.ProvisionedThroughput, LastDecreaseDateTime }
}

function showOldClass(shown: TableDescription, { TableClassSummary }: TableDescription): void {
  if (TableClassSummary) shown.TableClassSummary = TableClassSummary
  else delete shown.TableClassSummary
}

/** As an index is answered that is to be filled with what is in the table. */
const BEING_CREATED = { IndexStatus: 'CREATING', Backfilling: false, ItemCount: 0, IndexSizeBytes: 0 } as const

function showIndexes(request: UpdateTableRequest, before: TableDescription, shown: TableDescription): void {
  for (const { Create, Update, Delete } of request.GlobalSecondaryIndexUpdates ?? []) {
    if (Create) Object.assign(named(shown, Create.IndexName)!, BEING_CREATED)
    if (Update) showUpdated(before, shown, Update, switchesMode(request, before))
    const deleted = Delete && named(before, Delete.IndexName)
    if (deleted) {
      shown.GlobalSecondaryIndexes = [
        ...(shown.GlobalSecondaryIndexes ?? []),
        { ...structuredClone(deleted), IndexStatus: 'DELETING' },
      ]
      shown.AttributeDefinitions = structuredClone(before.AttributeDefinitions)
    }
  }
  for (const { Create, Delete } of request.VectorIndexUpdates ?? []) {
    const created = Create && shown.VectorIndexes?.find(index => index.IndexName === Create.IndexName)
    if (created) Object.assign(created, BEING_CREATED)
    const deleted = Delete && before.VectorIndexes?.find(index => index.IndexName === Delete.IndexName)
    if (deleted) shown.VectorIndexes = [...(shown.VectorIndexes ?? []), asDeleting(deleted)]
  }
}

/** One that was not filled yet is not filled any more. */
function asDeleting(index: VectorIndexDescription): VectorIndexDescription {
  const { Backfilling: _, ...rest } = structuredClone(index)
  return { ...rest, IndexStatus: 'DELETING' }
}

function showUpdated(
  before: TableDescription,
  shown: TableDescription,
  update: UpdateGlobalSecondaryIndexAction,
  switched: boolean,
): void {
  const { IndexName: name, ProvisionedThroughput: units, OnDemandThroughput: bounds, WarmThroughput: warm } = update
  const old = named(before, name)!
  const index = named(shown, name)!
  if (units || bounds) index.IndexStatus = 'UPDATING'
  if (units && !switched) index.ProvisionedThroughput = oldUnits(old, index)
  if (warm) index.WarmThroughput = { ...old.WarmThroughput, Status: 'UPDATING' }
}

function named({ GlobalSecondaryIndexes }: TableDescription, name: string) {
  return GlobalSecondaryIndexes?.find(index => index.IndexName === name)
}
