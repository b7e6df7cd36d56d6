import { GLOBAL_INDEXES } from '../../../dynamodb/limits.js'
import type {
  AttributeDefinition,
  BillingMode,
  GlobalSecondaryIndex,
  GlobalSecondaryIndexUpdate,
  TableDescription,
  UpdateGlobalSecondaryIndexAction,
  UpdateTableInput,
} from '../../../dynamodb/operation-types.js'
import { invalidParameterError, limitExceededError, notFoundError, validationError } from '../../errors.js'
import { checkIncludedTotal } from '../definition/indexes.validation.js'
import { checkCapacityUnits, checkWarmThroughput } from '../definition/throughput.validation.js'
import { checkRedefinition } from './redefinition.validation.js'
import { countIndexChanges } from './requested-changes.js'
import {
  billingOf,
  checkCapacityChange,
  checkOnDemandBounds,
  checkWarmThroughputIncrease,
} from './throughput.validation.js'

export const singleIndexChangeError = () =>
  limitExceededError(
    'Subscriber limit exceeded: Only 1 online index can be created or deleted simultaneously per table',
  )

/** Checks updates of indexes against the indexes of the table. */
export function checkIndexesOfTable(live: TableDescription, request: UpdateTableInput, nowMs: number): void {
  if (countIndexChanges(request) > 1) throw singleIndexChangeError()
  const billing = request.BillingMode ?? billingOf(live)
  const updates = request.GlobalSecondaryIndexUpdates ?? []
  const definitions = request.AttributeDefinitions ?? []
  for (const { Create, Update, Delete } of updates) {
    if (Create) checkNewIndex(live, Create, billing, definitions)
    if (Delete) requireGlobalIndex(live, Delete.IndexName, 'delete')
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
    throw validationError('Attempting to create an index which already exists')
  if (billing === 'PAY_PER_REQUEST' && ProvisionedThroughput)
    throw invalidParameterError(
      `Neither ReadCapacityUnits nor WriteCapacityUnits can be specified for index: ${IndexName} when BillingMode is ` +
        'PAY_PER_REQUEST',
    )
  if (billing === 'PROVISIONED') {
    if (!ProvisionedThroughput) throw missingUnitsError(IndexName)
    checkCapacityUnits(ProvisionedThroughput, ` for index ${IndexName}`)
  }
  if (index.OnDemandThroughput) checkOnDemandBounds(index.OnDemandThroughput, billing, `index : ${IndexName}`)
  checkWarmThroughput(index.WarmThroughput, ProvisionedThroughput, `index ${IndexName}`)
  checkRedefinition(live, index, definitions)
  if (globals.length >= GLOBAL_INDEXES)
    throw limitExceededError(
      `Subscriber limit exceeded: Number of global secondary indexes exceeds per-table limit of ${GLOBAL_INDEXES}`,
    )
  checkIncludedTotal([...locals, ...globals, index].map(({ Projection = {} }) => ({ Projection })))
}

const missingUnitsError = (name: string) =>
  invalidParameterError(`Both ReadCapacityUnits and WriteCapacityUnits must be specified for index: ${name}`)

function checkUpdatedIndex(
  live: TableDescription,
  update: UpdateGlobalSecondaryIndexAction,
  billing: BillingMode,
  nowMs: number,
): void {
  const { IndexName: name, ProvisionedThroughput: wanted, OnDemandThroughput: bounds, WarmThroughput: warm } = update
  const index = requireGlobalIndex(live, name, 'update')
  const bounded = bounds && Object.values(bounds).some(units => units !== undefined)
  if (billing === 'PAY_PER_REQUEST' && (wanted || (!bounded && !warm)))
    throw invalidParameterError(
      `The only Updates for index: ${name} when TableThroughputMode is PAY_PER_REQUEST can be to OnDemandThroughput, ` +
        'WarmThroughput',
    )
  if (bounds) checkOnDemandBounds(bounds, billing, `index : ${name}`)
  if (warm) checkWarmThroughputIncrease(index.WarmThroughput, warm, `index ${name}`)
  if (billing === 'PAY_PER_REQUEST') return
  if (!wanted && !warm) throw missingUnitsError(name)
  if (!wanted) return
  checkCapacityUnits(wanted, ` for index ${name}`)
  if (billingOf(live) === 'PROVISIONED')
    checkCapacityChange(index.ProvisionedThroughput, wanted, `index ${name}`, nowMs)
}

function requireGlobalIndex(live: TableDescription, name: string, action: 'update' | 'delete') {
  const index = live.GlobalSecondaryIndexes?.find(candidate => candidate.IndexName === name)
  if (index) return index
  if (live.LocalSecondaryIndexes?.some(candidate => candidate.IndexName === name))
    throw validationError(`Cannot ${action} an index that is not a GlobalSecondaryIndex: ${name}`)
  throw notFoundError(`Requested resource not found: Index ${name} for table ${live.TableName}`)
}

/** Checks that a change to provisioned mode sets the units of every index. */
function checkEveryIndexProvisioned(live: TableDescription, updates: readonly GlobalSecondaryIndexUpdate[]): void {
  for (const { IndexName: name } of live.GlobalSecondaryIndexes ?? [])
    if (!updates.some(({ Update }) => Update?.IndexName === name && Update?.ProvisionedThroughput))
      throw invalidParameterError(`ProvisionedThroughput must be specified for index: ${name}`)
}
