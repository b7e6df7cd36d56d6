import { TABLE_CAPACITY_UNITS } from '../../dynamodb/limits.js'
import type { OnDemandThroughput, ProvisionedThroughput, WarmThroughput } from '../../dynamodb/operations/throughput.js'
import type { Engine } from '../engine.js'
import { limitExceeded } from '../errors.js'

/** What a request asks for a table, or for one of its indexes. */
interface Throughput {
  readonly ProvisionedThroughput?: ProvisionedThroughput | undefined
  readonly OnDemandThroughput?: OnDemandThroughput | undefined
  readonly WarmThroughput?: WarmThroughput | undefined
}

const KINDS = [
  ['Read', 'ReadCapacityUnits', 'MaxReadRequestUnits', 'ReadUnitsPerSecond'],
  ['Write', 'WriteCapacityUnits', 'MaxWriteRequestUnits', 'WriteUnitsPerSecond'],
] as const

/** No table has more than DescribeLimits tells, and no index. */
export function checkQuotas(engine: Engine, asked: Throughput, indexName?: string): void {
  for (const [way, capacity, bound, warm] of KINDS) {
    checkProvisioned(engine, capacity, asked.ProvisionedThroughput?.[capacity], indexName)
    const quota = `TableMax${way}CapacityUnits of the account in region ${engine.region}`
    // The messages differ in how they name an index; so does the service.
    const ofBound = indexName === undefined ? 'table' : `index : ${indexName}`
    const ofWarm = indexName === undefined ? 'table' : `index ${indexName}`
    if (isAbove(asked.OnDemandThroughput?.[bound])) throw above(`${bound} for OnDemandThroughput for ${ofBound}`, quota)
    if (isAbove(asked.WarmThroughput?.[warm])) throw above(`${warm} for WarmThroughput for ${ofWarm}`, quota)
  }
}

function checkProvisioned({ region }: Engine, name: string, units: number | undefined, indexName?: string): void {
  if (!isAbove(units)) return
  const [kind, ofIndex] = indexName === undefined ? ['table', ''] : ['index', ` for index ${indexName}`]
  throw limitExceeded(
    `The requested ${name}${ofIndex}, ${units}, is above the per ${kind} maximum for the account in ${region}. ` +
      `Per ${kind} maximum: ${TABLE_CAPACITY_UNITS}. ` +
      'Refer to the Amazon DynamoDB Developer Guide for current limits and how to request higher limits.',
  )
}

const isAbove = (units: number | undefined) => units !== undefined && units > TABLE_CAPACITY_UNITS
const above = (what: string, quota: string) =>
  limitExceeded(`Subscriber limit exceeded: Requested ${what} exceeds ${quota}`)
