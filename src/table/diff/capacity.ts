import type {
  GlobalSecondaryIndexDescription,
  GlobalSecondaryIndexUpdate,
  ProvisionedThroughputDescription,
} from '../../dynamodb/operation-types.js'
import type { ProvisionedCapacity } from '../../layout/design.js'
import { globalIndexesOf, indexCapacityOf, toThroughput } from '../table-definition.js'
import { formatNumber } from './backfill.js'
import { ALL_ACTIVE, type DiffContext, isProvisioned, type Step, TABLE_ACTIVE } from './step.js'

/**
 * The steps to on-demand billing or to other capacity units. They precede the building of indexes, which use that
 * capacity.
 */
export function capacityStepsBeforeIndexes(
  context: DiffContext,
  retained: readonly GlobalSecondaryIndexDescription[],
): Step[] {
  const { design, table } = context
  if (!isProvisioned(context)) return []
  if (design.capacity !== 'on-demand') return context.autoscaled ? [] : unitSteps(context, design.capacity, retained)
  return [
    {
      code: 'billing.on-demand',
      operation: 'UpdateTable',
      input: { TableName: table, BillingMode: 'PAY_PER_REQUEST' },
      message: 'Bill by request.',
      cost: 'Every request is paid for and none is reserved; at most four changes of the mode are allowed in 24 hours. Take autoscaling off the table and its indexes first.',
      wait: TABLE_ACTIVE,
      optional: false,
    },
  ]
}

/** The step to provisioned capacity. It follows the building of indexes and sets the capacity of all of them. */
export function capacityStepsAfterIndexes(context: DiffContext, leftovers: readonly string[]): Step[] {
  const { design, table } = context
  const { capacity } = design
  if (isProvisioned(context) || capacity === 'on-demand') return []
  const updates: GlobalSecondaryIndexUpdate[] = [
    ...globalIndexesOf(design).map(index => capacityUpdate(index.name, indexCapacityOf(design, index)!)),
    ...leftovers.map(name => capacityUpdate(name, capacity)),
  ]
  return [
    {
      code: 'billing.provisioned',
      operation: 'UpdateTable',
      input: {
        TableName: table,
        BillingMode: 'PROVISIONED',
        ProvisionedThroughput: toThroughput(capacity),
        ...(updates.length > 0 && { GlobalSecondaryIndexUpdates: updates }),
      },
      message: `Bill by capacity: ${describeCapacity(capacity)} for the table.`,
      cost: 'Capacity is paid for by the hour whether it is used or not, and requests beyond it are throttled: have autoscaling in place.',
      wait: TABLE_ACTIVE,
      optional: false,
    },
  ]
}

function unitSteps(
  context: DiffContext,
  capacity: ProvisionedCapacity,
  retained: readonly GlobalSecondaryIndexDescription[],
): Step[] {
  const { design, live, table } = context
  const changesTable = isDifferentCapacity(capacity, live.ProvisionedThroughput)
  const updates = globalIndexesOf(design).flatMap(index => {
    const present = retained.find(({ IndexName }) => IndexName === index.name)
    const designed = indexCapacityOf(design, index)!
    return present && isDifferentCapacity(designed, present.ProvisionedThroughput)
      ? [capacityUpdate(index.name, designed)]
      : []
  })
  if (!changesTable && updates.length === 0) return []
  const changes = [
    ...(changesTable ? [`the table to ${describeCapacity(capacity)}`] : []),
    ...updates.map(
      ({ Update }) => `${Update!.IndexName} to ${describeCapacity(capacityOf(Update!.ProvisionedThroughput))}`,
    ),
  ]
  return [
    {
      code: 'capacity',
      operation: 'UpdateTable',
      input: {
        TableName: table,
        ...(changesTable && { ProvisionedThroughput: toThroughput(capacity) }),
        ...(updates.length > 0 && { GlobalSecondaryIndexUpdates: updates }),
      },
      message: `Change the capacity of ${changes.join(', ')}.`,
      cost: 'Takes minutes, with no interruption. More can be had at any time; less only a few times a day.',
      wait: updates.length > 0 ? ALL_ACTIVE : TABLE_ACTIVE,
      optional: false,
    },
  ]
}

function capacityUpdate(IndexName: string, capacity: ProvisionedCapacity) {
  return { Update: { IndexName, ProvisionedThroughput: toThroughput(capacity) } }
}

function capacityOf({ ReadCapacityUnits, WriteCapacityUnits }: ProvisionedThroughputDescription): ProvisionedCapacity {
  return { read: ReadCapacityUnits ?? 0, write: WriteCapacityUnits ?? 0 }
}

function isDifferentCapacity(
  designed: ProvisionedCapacity,
  present: ProvisionedThroughputDescription | undefined,
): boolean {
  const { read, write } = capacityOf(present ?? {})
  return designed.read !== read || designed.write !== write
}

function describeCapacity({ read, write }: ProvisionedCapacity): string {
  return `${formatNumber(read)} RCU and ${formatNumber(write)} WCU`
}
