import { ON_DEMAND_INITIAL_READ_UNITS, ON_DEMAND_INITIAL_WRITE_UNITS } from '../../../dynamodb/limits.js'
import type {
  OnDemandThroughput,
  ProvisionedThroughput,
  ProvisionedThroughputDescription,
  WarmThroughput,
} from '../../../dynamodb/operations/throughput.js'

/** The members of a table's or global index's request that say what it can take. */
interface Throughput {
  ProvisionedThroughput?: ProvisionedThroughput | undefined
  OnDemandThroughput?: OnDemandThroughput | undefined
  WarmThroughput?: WarmThroughput | undefined
}

interface ThroughputDescription {
  ProvisionedThroughput: ProvisionedThroughputDescription
  OnDemandThroughput?: OnDemandThroughput
  WarmThroughput: WarmThroughput & { Status: 'ACTIVE' }
}

/** On demand, capacity is described as zero; what is warm starts with what there is. */
export function describeThroughput(throughput: Throughput): ThroughputDescription {
  const { ProvisionedThroughput: provisioned, WarmThroughput: warm, OnDemandThroughput: onDemand } = throughput
  return {
    ProvisionedThroughput: {
      NumberOfDecreasesToday: 0,
      ReadCapacityUnits: provisioned?.ReadCapacityUnits ?? 0,
      WriteCapacityUnits: provisioned?.WriteCapacityUnits ?? 0,
    },
    ...(hasAnyMember(onDemand) && { OnDemandThroughput: onDemand }),
    WarmThroughput: {
      ReadUnitsPerSecond: warm?.ReadUnitsPerSecond ?? provisioned?.ReadCapacityUnits ?? ON_DEMAND_INITIAL_READ_UNITS,
      WriteUnitsPerSecond:
        warm?.WriteUnitsPerSecond ?? provisioned?.WriteCapacityUnits ?? ON_DEMAND_INITIAL_WRITE_UNITS,
      Status: 'ACTIVE',
    },
  }
}

/** An object without members says as little as none. */
export function hasAnyMember<T extends object>(object: T | undefined): object is T {
  return object !== undefined && Object.values(object).some(value => value !== undefined)
}
