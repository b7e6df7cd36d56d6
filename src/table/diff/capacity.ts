import type { GlobalSecondaryIndexDescription } from '../../dynamodb/operations/indexes.js'
import type { ProvisionedThroughputDescription } from '../../dynamodb/operations/throughput.js'
import type { GlobalSecondaryIndexUpdate } from '../../dynamodb/operations/update-table.js'
import type { Capacity } from '../../layout/design.js'
import { globalIndexes, indexCapacity, throughput } from '../definition.js'
import { number } from './backfill.js'
import { ALL_ACTIVE, type Compared, isProvisioned, type Step, TABLE_ACTIVE } from './step.js'

/** To on demand, or to other units: before indexes are built, so that these have what they need. */
export function earlyCapacity(compared: Compared, kept: readonly GlobalSecondaryIndexDescription[]): Step[] {
  const { design, table } = compared
  if (!isProvisioned(compared)) return []
  if (design.capacity !== 'on-demand') return compared.autoscaled ? [] : unitSteps(compared, design.capacity, kept)
  return [
    {
      code: 'billing.on-demand',
      operation: 'UpdateTable',
      input: { TableName: table, BillingMode: 'PAY_PER_REQUEST' },
      message: 'Bill by request.',
      cost: 'Every request is paid for and none is reserved; at most four such changes in 24 hours. Take autoscaling off the table and its indexes first.',
      wait: TABLE_ACTIVE,
      optional: false,
    },
  ]
}

/** To provisioned capacity: after indexes are built, and for all that are there then. */
export function lateCapacity(compared: Compared, leftovers: readonly string[]): Step[] {
  const { design, table } = compared
  const { capacity } = design
  if (isProvisioned(compared) || capacity === 'on-demand') return []
  const updates: GlobalSecondaryIndexUpdate[] = [
    ...globalIndexes(design).map(index => update(index.name, indexCapacity(design, index)!)),
    ...leftovers.map(name => update(name, capacity)),
  ]
  return [
    {
      code: 'billing.provisioned',
      operation: 'UpdateTable',
      input: {
        TableName: table,
        BillingMode: 'PROVISIONED',
        ProvisionedThroughput: throughput(capacity),
        ...(updates.length > 0 && { GlobalSecondaryIndexUpdates: updates }),
      },
      message: `Bill by capacity: ${units(capacity)} for the table.`,
      cost: 'Capacity is paid for by the hour whether it is used or not, and requests beyond it are throttled: have autoscaling in place.',
      wait: TABLE_ACTIVE,
      optional: false,
    },
  ]
}

function unitSteps(compared: Compared, capacity: Capacity, kept: readonly GlobalSecondaryIndexDescription[]): Step[] {
  const { design, live, table } = compared
  const tableDiffers = differs(capacity, live.ProvisionedThroughput)
  const updates = globalIndexes(design).flatMap(index => {
    const present = kept.find(({ IndexName }) => IndexName === index.name)
    const wanted = indexCapacity(design, index)!
    return present && differs(wanted, present.ProvisionedThroughput) ? [update(index.name, wanted)] : []
  })
  if (!tableDiffers && updates.length === 0) return []
  const changes = [
    ...(tableDiffers ? [`the table to ${units(capacity)}`] : []),
    ...updates.map(({ Update }) => `${Update!.IndexName} to ${units(capacityOf(Update!.ProvisionedThroughput))}`),
  ]
  return [
    {
      code: 'capacity',
      operation: 'UpdateTable',
      input: {
        TableName: table,
        ...(tableDiffers && { ProvisionedThroughput: throughput(capacity) }),
        ...(updates.length > 0 && { GlobalSecondaryIndexUpdates: updates }),
      },
      message: `Change the capacity of ${changes.join(', ')}.`,
      cost: 'Takes minutes, with no interruption. More can be had at any time; less only a few times a day.',
      wait: updates.length > 0 ? ALL_ACTIVE : TABLE_ACTIVE,
      optional: false,
    },
  ]
}

function update(IndexName: string, capacity: Capacity) {
  return { Update: { IndexName, ProvisionedThroughput: throughput(capacity) } }
}

function capacityOf({ ReadCapacityUnits, WriteCapacityUnits }: ProvisionedThroughputDescription): Capacity {
  return { read: ReadCapacityUnits ?? 0, write: WriteCapacityUnits ?? 0 }
}

function differs(wanted: Capacity, present: ProvisionedThroughputDescription | undefined): boolean {
  const { read, write } = capacityOf(present ?? {})
  return wanted.read !== read || wanted.write !== write
}

function units({ read, write }: Capacity): string {
  return `${number(read)} RCU and ${number(write)} WCU`
}
