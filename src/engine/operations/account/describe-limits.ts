import { ACCOUNT_CAPACITY_UNITS, TABLE_CAPACITY_UNITS } from '../../../dynamodb/limits.js'
import type { DescribeLimitsOutput } from '../../../dynamodb/operation-types.js'

/** Returns the default quotas of an account. */
export function describeLimits(): DescribeLimitsOutput {
  return {
    AccountMaxReadCapacityUnits: ACCOUNT_CAPACITY_UNITS,
    AccountMaxWriteCapacityUnits: ACCOUNT_CAPACITY_UNITS,
    TableMaxReadCapacityUnits: TABLE_CAPACITY_UNITS,
    TableMaxWriteCapacityUnits: TABLE_CAPACITY_UNITS,
  }
}
