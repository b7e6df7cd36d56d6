import type {
  TableDescription,
  UpdateGlobalSecondaryIndexAction,
  UpdateTableInput,
  VectorIndexDescription,
} from '../../../dynamodb/operation-types.js'
import { countIndexChanges } from './requested-changes.js'
import { billingOf } from './throughput.validation.js'

/**
 * Describes a table as the response of UpdateTable does: changes are pending, and units and class still have the old
 * values.
 */
export function toUpdatingDescription(
  request: UpdateTableInput,
  before: TableDescription,
  after: TableDescription,
): TableDescription {
  const shown = structuredClone(after)
  const { ProvisionedThroughput: units, BillingMode, StreamSpecification, TableClass, WarmThroughput } = request
  const updating = units || BillingMode || StreamSpecification || TableClass || countIndexChanges(request) > 0
  if (updating) shown.TableStatus = 'UPDATING'
  if (units && !isSwitchingMode(request, before)) shown.ProvisionedThroughput = withOldUnits(before, shown)
  if (BillingMode === 'PAY_PER_REQUEST' && isSwitchingMode(request, before))
    delete shown.BillingModeSummary?.LastUpdateToPayPerRequestDateTime
  if (TableClass) restoreOldClass(shown, before)
  if (WarmThroughput) shown.WarmThroughput = { ...before.WarmThroughput, Status: 'UPDATING' }
  if (request.SSESpecification) shown.SSEDescription = { ...before.SSEDescription, Status: 'UPDATING' }
  if (request.OnDemandThroughput)
    shown.OnDemandThroughput = { ...before.OnDemandThroughput, ...request.OnDemandThroughput }
  if (units || BillingMode) restoreOldCapacity(shown, before, after)
  markUpdatingIndexes(request, before, shown)
  return shown
}

/** Returns whether the billing mode changes. The table then shows its new units immediately. */
function isSwitchingMode({ BillingMode }: UpdateTableInput, before: TableDescription): boolean {
  return BillingMode !== undefined && BillingMode !== billingOf(before)
}

type Provisioned = Pick<TableDescription, 'ProvisionedThroughput'>

function withOldUnits({ ProvisionedThroughput: old = {} }: Provisioned, { ProvisionedThroughput: next }: Provisioned) {
  const { ReadCapacityUnits, WriteCapacityUnits, NumberOfDecreasesToday } = old
  return { ...next, NumberOfDecreasesToday, ReadCapacityUnits, WriteCapacityUnits }
}

/**
 * Restores the capacity before the change. A table that changes to on-demand mode shows a decrease during the change.
 */
function restoreOldCapacity(shown: TableDescription, before: TableDescription, after: TableDescription): void {
  if (before.WarmThroughput) shown.WarmThroughput = structuredClone(before.WarmThroughput)
  const oldReadUnits = before.ProvisionedThroughput?.ReadCapacityUnits
  if (!oldReadUnits || after.ProvisionedThroughput?.ReadCapacityUnits) return
  const LastDecreaseDateTime = after.BillingModeSummary?.LastUpdateToPayPerRequestDateTime
  shown.ProvisionedThroughput = { ...shown.ProvisionedThroughput, LastDecreaseDateTime }
}

function restoreOldClass(shown: TableDescription, { TableClassSummary }: TableDescription): void {
  if (TableClassSummary) shown.TableClassSummary = TableClassSummary
  else delete shown.TableClassSummary
}

/** The members of an index that is being created. */
const CREATING_INDEX = { IndexStatus: 'CREATING', Backfilling: false, ItemCount: 0, IndexSizeBytes: 0 } as const

function markUpdatingIndexes(request: UpdateTableInput, before: TableDescription, shown: TableDescription): void {
  for (const { Create, Update, Delete } of request.GlobalSecondaryIndexUpdates ?? []) {
    if (Create) Object.assign(findGlobalIndex(shown, Create.IndexName)!, CREATING_INDEX)
    if (Update) markUpdatedIndex(before, shown, Update, isSwitchingMode(request, before))
    const deleted = Delete && findGlobalIndex(before, Delete.IndexName)
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
    if (created) Object.assign(created, CREATING_INDEX)
    const deleted = Delete && before.VectorIndexes?.find(index => index.IndexName === Delete.IndexName)
    if (deleted) shown.VectorIndexes = [...(shown.VectorIndexes ?? []), toDeletingIndex(deleted)]
  }
}

/** Describes an index that is being deleted, without its backfilling state. */
function toDeletingIndex(index: VectorIndexDescription): VectorIndexDescription {
  const { Backfilling: _, ...rest } = structuredClone(index)
  return { ...rest, IndexStatus: 'DELETING' }
}

function markUpdatedIndex(
  before: TableDescription,
  shown: TableDescription,
  update: UpdateGlobalSecondaryIndexAction,
  switched: boolean,
): void {
  const { IndexName: name, ProvisionedThroughput: units, OnDemandThroughput: bounds, WarmThroughput: warm } = update
  const old = findGlobalIndex(before, name)!
  const index = findGlobalIndex(shown, name)!
  if (units || bounds) index.IndexStatus = 'UPDATING'
  if (units && !switched) index.ProvisionedThroughput = withOldUnits(old, index)
  if (warm) index.WarmThroughput = { ...old.WarmThroughput, Status: 'UPDATING' }
}

function findGlobalIndex({ GlobalSecondaryIndexes }: TableDescription, name: string) {
  return GlobalSecondaryIndexes?.find(index => index.IndexName === name)
}
