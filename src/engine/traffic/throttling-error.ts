import type { Engine } from '../engine.js'
import { TransientServiceError } from '../errors.js'
import { tableArn } from '../tables/arns.js'
import type { TableIndex } from '../tables/table.js'
import { isOnDemand, type LimitKind } from './rate-limits.js'
import type { TrafficDirection } from './traffic-settings.js'
import type { TrafficTarget } from './traffic-target.js'

const PROVISIONED_TABLE =
  'The level of configured provisioned throughput for the table was exceeded. ' +
  'Consider increasing your provisioning level with the UpdateTable API.'
const PROVISIONED_INDEX =
  'The level of configured provisioned throughput for one or more global secondary indexes of the table was exceeded. ' +
  'Consider increasing your provisioning level for the under-provisioned global secondary indexes with the UpdateTable API'
const ON_DEMAND_TABLE =
  'Throughput exceeds the current capacity of your table or index. DynamoDB is automatically scaling your table or ' +
  'index so please try again shortly. If exceptions persist, check if you have a hot key: ' +
  'https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html'
const ON_DEMAND_INDEX =
  'Throughput exceeds the current capacity for one or more global secondary indexes. ' +
  'DynamoDB is automatically scaling your index so please try again shortly.'
const ON_DEMAND_BOUND = 'Throughput exceeds the maximum OnDemandThroughput configured on table or index'

/** Creates the exception of a throttled request with its reason. */
export function throttlingError(
  engine: Engine,
  { table, index }: TrafficTarget,
  direction: TrafficDirection,
  kind: LimitKind,
): TransientServiceError {
  const resource = tableArn(engine, table.name) + (index ? `/index/${index.name}` : '')
  const reasons = [{ reason: `${index ? 'Index' : 'Table'}${direction}${kind}`, resource }]
  if (!isOnDemand(table))
    return new TransientServiceError(
      'ProvisionedThroughputExceededException',
      index && direction === 'Write' ? PROVISIONED_INDEX : PROVISIONED_TABLE,
      { ThrottlingReasons: reasons },
    )
  // The service spells this member in two ways.
  return new TransientServiceError('ThrottlingException', onDemandMessageOf(index, direction, kind), {
    throttlingReasons: reasons,
  })
}

function onDemandMessageOf(index: TableIndex | undefined, direction: TrafficDirection, kind: LimitKind): string {
  if (kind === 'MaxOnDemandThroughputExceeded') return ON_DEMAND_BOUND
  return index && direction === 'Write' ? ON_DEMAND_INDEX : ON_DEMAND_TABLE
}
