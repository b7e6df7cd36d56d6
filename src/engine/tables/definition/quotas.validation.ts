import { TABLE_CAPACITY_UNITS } from '../../../dynamodb/limits.js'
import type { OnDemandThroughput, ProvisionedThroughput, WarmThroughput } from '../../../dynamodb/operation-types.js'
import type { Engine } from '../../engine.js'
import { limitExceededError } from '../../errors.js'

/** The requested throughput of a table or index. */
interface Throughput {
  readonly ProvisionedThroughput?: ProvisionedThroughput | undefined
  readonly OnDemandThroughput?: OnDemandThroughput | undefined
  readonly WarmThroughput?: WarmThroughput | undefined
}

const KINDS = [
  ['Read', 'ReadCapacityUnits', 'MaxReadRequestUnits', 'ReadUnitsPerSecond'],
  ['Write', 'WriteCapacityUnits', 'MaxWriteRequestUnits', 'WriteUnitsPerSecond'],
] as const

/** Checks the requested throughput against the quotas of DescribeLimits. */
export function checkCapacityQuotas(engine: Engine, requested: Throughput, indexName?: string): void {
  for (const [way, capacity, bound, warm] of KINDS) {
    checkProvisioned(engine, capacity, requested.ProvisionedThroughput?.[capacity], indexName)
    const quota = `TableMax${way}CapacityUnits of the account in region ${engine.region}`
    // The service uses different spellings of the index in these messages.
    const ofBound = indexName === undefined ? 'table' : `index : ${indexName}`
    const ofWarm = indexName === undefined ? 'table' : `index ${indexName}`
    if (isAboveQuota(requested.OnDemandThroughput?.[bound]))
      throw quotaExceededError(`${bound} for OnDemandThroughput for ${ofBound}`, quota)
    if (isAboveQuota(requested.WarmThroughput?.[warm]))
      throw quotaExceededError(`${warm} for WarmThroughput for ${ofWarm}`, quota)
  }
}

function checkProvisioned({ region }: Engine, name: string, units: number | undefined, indexName?: string): void {
  if (!isAboveQuota(units)) return
  const [kind, ofIndex] = indexName === undefined ? ['table', ''] : ['index', ` for index ${indexName}`]
  throw limitExceededError(
    `The requested ${name}${ofIndex}, ${units}, is above the per ${kind} maximum for the account in ${region}. ` +
      `Per ${kind} maximum: ${TABLE_CAPACITY_UNITS}. ` +
      'Refer to the Amazon DynamoDB Developer Guide for current limits and how to request higher limits.',
  )
}

const isAboveQuota = (units: number | undefined) => units !== undefined && units > TABLE_CAPACITY_UNITS
const quotaExceededError = (what: string, quota: string) =>
  limitExceededError(`Subscriber limit exceeded: Requested ${what} exceeds ${quota}`)
