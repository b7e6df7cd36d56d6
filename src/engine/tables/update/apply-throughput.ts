import { ON_DEMAND_INITIAL_READ_UNITS, ON_DEMAND_INITIAL_WRITE_UNITS } from '../../../dynamodb/limits.js'
import type {
  GlobalSecondaryIndexDescription,
  GlobalSecondaryIndexWarmThroughputDescription,
  OnDemandThroughput,
  ProvisionedThroughput,
  ProvisionedThroughputDescription,
  TableDescription,
  TableWarmThroughputDescription,
  UpdateTableInput,
  WarmThroughput,
} from '../../../dynamodb/operation-types.js'
import { isSameDay } from '../utc-days.js'

/** A table or a global index with its throughput. */
interface ThroughputHolder {
  ProvisionedThroughput?: ProvisionedThroughputDescription | undefined
  OnDemandThroughput?: OnDemandThroughput | undefined
  WarmThroughput?: TableWarmThroughputDescription | GlobalSecondaryIndexWarmThroughputDescription | undefined
}

interface RequestedThroughput {
  ProvisionedThroughput?: ProvisionedThroughput | undefined
  OnDemandThroughput?: OnDemandThroughput | undefined
  WarmThroughput?: WarmThroughput | undefined
}

export function applyTableCapacity(description: TableDescription, request: UpdateTableInput, now: Date): void {
  const { BillingMode } = request
  const indexes = description.GlobalSecondaryIndexes ?? []
  if (BillingMode && BillingMode !== (description.BillingModeSummary?.BillingMode ?? 'PROVISIONED')) {
    const since = BillingMode === 'PAY_PER_REQUEST' ? { LastUpdateToPayPerRequestDateTime: now } : {}
    description.BillingModeSummary = { ...description.BillingModeSummary, BillingMode, ...since }
    if (BillingMode === 'PAY_PER_REQUEST') for (const index of indexes) countDecrease(index, now)
    for (const described of [description, ...indexes]) switchBillingMode(described, BillingMode === 'PAY_PER_REQUEST')
  }
  applyCapacity(description, request, now)
}

export function applyIndexCapacity(
  index: GlobalSecondaryIndexDescription,
  wanted: RequestedThroughput,
  now: Date,
): void {
  applyCapacity(index, wanted, now)
}

/** Counts a decrease for an index that changes to on-demand mode. For the table itself the service counts none. */
function countDecrease(index: GlobalSecondaryIndexDescription, now: Date): void {
  const { LastDecreaseDateTime: last, NumberOfDecreasesToday: decreases = 0 } = index.ProvisionedThroughput ?? {}
  const today = last && isSameDay(last.getTime(), now.getTime()) ? decreases : 0
  index.ProvisionedThroughput = {
    ...index.ProvisionedThroughput,
    LastDecreaseDateTime: now,
    NumberOfDecreasesToday: today + 1,
  }
}

/** Changes the billing mode: on demand, provisioned units become zero; provisioned, on-demand limits are removed. */
function switchBillingMode(described: ThroughputHolder, onDemand: boolean): void {
  if (!onDemand) {
    delete described.OnDemandThroughput
    return
  }
  described.ProvisionedThroughput = { ...described.ProvisionedThroughput, ReadCapacityUnits: 0, WriteCapacityUnits: 0 }
  raiseWarmThroughput(described, {
    ReadUnitsPerSecond: ON_DEMAND_INITIAL_READ_UNITS,
    WriteUnitsPerSecond: ON_DEMAND_INITIAL_WRITE_UNITS,
  })
}

function applyCapacity(described: ThroughputHolder, wanted: RequestedThroughput, now: Date): void {
  if (wanted.ProvisionedThroughput) setProvisionedUnits(described, wanted.ProvisionedThroughput, now)
  if (wanted.OnDemandThroughput) setOnDemandBounds(described, wanted.OnDemandThroughput)
  if (wanted.WarmThroughput) raiseWarmThroughput(described, wanted.WarmThroughput)
}

function setProvisionedUnits(described: ThroughputHolder, wanted: ProvisionedThroughput, now: Date): void {
  const current = described.ProvisionedThroughput ?? {}
  const reads = wanted.ReadCapacityUnits - (current.ReadCapacityUnits ?? 0)
  const writes = wanted.WriteCapacityUnits - (current.WriteCapacityUnits ?? 0)
  const decreases = current.NumberOfDecreasesToday ?? 0
  const last = current.LastDecreaseDateTime
  const sameDay = last !== undefined && isSameDay(last.getTime(), now.getTime())
  described.ProvisionedThroughput = {
    ...current,
    // A change from on-demand mode is not an increase.
    ...(current.ReadCapacityUnits && (reads > 0 || writes > 0) && { LastIncreaseDateTime: now }),
    ...((reads < 0 || writes < 0) && {
      LastDecreaseDateTime: now,
      NumberOfDecreasesToday: (sameDay ? decreases : 0) + 1,
    }),
    ReadCapacityUnits: wanted.ReadCapacityUnits,
    WriteCapacityUnits: wanted.WriteCapacityUnits,
  }
  raiseWarmThroughput(described, {
    ReadUnitsPerSecond: wanted.ReadCapacityUnits,
    WriteUnitsPerSecond: wanted.WriteCapacityUnits,
  })
}

/** Sets on-demand limits individually; -1 removes a limit. */
function setOnDemandBounds(described: ThroughputHolder, wanted: OnDemandThroughput): void {
  const bounds = { ...described.OnDemandThroughput }
  for (const name of ['MaxReadRequestUnits', 'MaxWriteRequestUnits'] as const) {
    if (wanted[name] === -1) delete bounds[name]
    else if (wanted[name] !== undefined) bounds[name] = wanted[name]
  }
  if (Object.keys(bounds).length > 0) described.OnDemandThroughput = bounds
  else delete described.OnDemandThroughput
}

/** Raises warm throughput, which never decreases. */
function raiseWarmThroughput(described: ThroughputHolder, wanted: WarmThroughput): void {
  const current = described.WarmThroughput
  described.WarmThroughput = {
    ...current,
    ReadUnitsPerSecond: Math.max(current?.ReadUnitsPerSecond ?? 0, wanted.ReadUnitsPerSecond ?? 0),
    WriteUnitsPerSecond: Math.max(current?.WriteUnitsPerSecond ?? 0, wanted.WriteUnitsPerSecond ?? 0),
    Status: 'ACTIVE',
  }
}
