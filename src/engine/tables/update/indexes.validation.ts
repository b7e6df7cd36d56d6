import { GLOBAL_INDEXES } from '../../../dynamodb/limits.js'
import type { AttributeDefinition, GlobalSecondaryIndex } from '../../../dynamodb/operations/indexes.js'
import type { TableDescription } from '../../../dynamodb/operations/table-description.js'
import type { BillingMode } from '../../../dynamodb/operations/throughput.js'
import type {
  GlobalSecondaryIndexUpdate,
  UpdateGlobalSecondaryIndexAction,
  UpdateTableRequest,
} from '../../../dynamodb/operations/update-table.js'
import { invalidParameter, limitExceeded, notFound, validation } from '../../errors.js'
import { checkIncludedInTotal } from '../indexes.validation.js'
import { checkCapacityUnits, checkWarmThroughput } from '../throughput.validation.js'
import { indexesMadeOrDeleted } from './changes.js'
import { checkRedefinition } from './redefinition.validation.js'
import { billingOf, checkBounds, checkChanges, checkWarmer } from './throughput.validation.js'

export const onlyOneIndex = () =>
  limitExceeded('Subscriber limit exceeded: Only 1 online index can be created or deleted simultaneously per table')

/** What a request says of indexes, held against those that the table has. */
export function checkIndexesOfTable(live: TableDescription, request: UpdateTableRequest, nowMs: number): void {
  if (indexesMadeOrDeleted(request) > 1) throw onlyOneIndex()
  const billing = request.BillingMode ?? billingOf(live)
  const updates = request.GlobalSecondaryIndexUpdates ?? []
  const definitions = request.AttributeDefinitions ?? []
  for (const { Create, Update, Delete } of updates) {
    if (Create) checkNewIndex(live, Create, billing, definitions)
    if (Delete) globalIndex(live, Delete.IndexName, 'delete')
    if (Update) checkUpdatedIndex(live, Update, billing, nowMs)
  }
  if (billing === 'PROVISIONED' && billingOf(live) === 'PAY_PER_REQUEST') checkEveryIndexProvisioned(live, updates)
}

function checkNewIndex(
  live: TableDescription,
  index: GlobalSecondaryIndex,
  billing: BillingMode,
  definitions: readonly AttributeDefinition[],
): void {
  const { IndexName, ProvisionedThroughput } = index
  const locals = live.LocalSecondaryIndexes ?? []
  const globals = live.GlobalSecondaryIndexes ?? []
  if ([...locals, ...globals, ...(live.VectorIndexes ?? [])].some(other => other.IndexName === IndexName))
    throw validation('Attempting to create an index which already exists')
  if (billing === 'PAY_PER_REQUEST' && ProvisionedThroughput)
    throw invalidParameter(
      `Neither ReadCapacityUnits nor WriteCapacityUnits can be specified for index: ${IndexName} when BillingMode is ` +
        'PAY_PER_REQUEST',
    )
  if (billing === 'PROVISIONED') {
    if (!ProvisionedThroughput) throw unitsMissing(IndexName)
    checkCapacityUnits(ProvisionedThroughput, ` for index ${IndexName}`)
  }
  if (index.OnDemandThroughput) checkBounds(index.OnDemandThroughput, billing, `index : ${IndexName}`)
  checkWarmThroughput(index.WarmThroughput, ProvisionedThroughput, `index ${IndexName}`)
  checkRedefinition(live, index, definitions)
  if (globals.length >= GLOBAL_INDEXES)
    throw limitExceeded(
      `Subscriber limit exceeded: Number of global secondary indexes exceeds per-table limit of ${GLOBAL_INDEXES}`,
    )
  checkIncludedInTotal([...locals, ...globals, index].map(({ Projection = {} }) => ({ Projection })))
}

const unitsMissing = (name: string) =>
  invalidParameter(`Both ReadCapacityUnits and WriteCapacityUnits must be specified for index: ${name}`)

function checkUpdatedIndex(
  live: TableDescription,
  update: UpdateGlobalSecondaryIndexAction,
  billing: BillingMode,
  nowMs: number,
): void {
  const { IndexName: name, ProvisionedThroughput: wanted, OnDemandThroughput: bounds, WarmThroughput: warm } = update
  const index = globalIndex(live, name, 'update')
  const bounded = bounds && Object.values(bounds).some(units => units !== undefined)
  if (billing === 'PAY_PER_REQUEST' && (wanted || (!bounded && !warm)))
    throw invalidParameter(
      `The only Updates for index: ${name} when TableThroughputMode is PAY_PER_REQUEST can be to OnDemandThroughput, ` +
        'WarmThroughput',
    )
  if (bounds) checkBounds(bounds, billing, `index : ${name}`)
  if (warm) checkWarmer(index.WarmThroughput, warm, `index ${name}`)
  if (billing === 'PAY_PER_REQUEST') return
  if (!wanted && !warm) throw unitsMissing(name)
  if (!wanted) return
  checkCapacityUnits(wanted, ` for index ${name}`)
  if (billingOf(live) === 'PROVISIONED') checkChanges(index.ProvisionedThroughput, wanted, `index ${name}`, nowMs)
}

function globalIndex(live: TableDescription, name: string, action: 'update' | 'delete') {
  const index = live.GlobalSecondaryIndexes?.find(candidate => candidate.IndexName === name)
  if (index) return index
  if (live.LocalSecondaryIndexes?.some(candidate => candidate.IndexName === name))
    throw validation(`Cannot ${action} an index that is not a GlobalSecondaryIndex: ${name}`)
  throw notFound(`Requested resource not found: Index ${name} for table ${live.TableName}`)
}

/** Nothing is given to an index that the request does not name. */
function checkEveryIndexProvisioned(live: TableDescription, updates: readonly GlobalSecondaryIndexUpdate[]): void {
  for (const { IndexName: name } of live.GlobalSecondaryIndexes ?? [])
    if (!updates.some(({ Update }) => Update?.IndexName === name && Update?.ProvisionedThroughput))
      throw invalidParameter(`ProvisionedThroughput must be specified for index: ${name}`)
}
