import { ON_DEMAND_INITIAL_READ_UNITS, ON_DEMAND_INITIAL_WRITE_UNITS } from '../../../dynamodb/limits.js'
import type {
  OnDemandThroughput,
  ProvisionedThroughput,
  ProvisionedThroughputDescription,
  WarmThroughput,
} from '../../../dynamodb/operation-types.js'

/** The throughput members of a request for a table or global index. */
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

/** Describes throughput. On-demand capacity is shown as zero; warm throughput starts with the provisioned units. */
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

/** Returns whether an object has a member. The service treats an empty object like a missing one. */
export function hasAnyMember<T extends object>(object: T | undefined): object is T {
  return object !== undefined && Object.values(object).some(value => value !== undefined)
}
