import type { OnDemandThroughput, ProvisionedThroughputDescription } from '../../dynamodb/operation-types.js'
import type { Table } from '../tables/table.js'
import type { RateLimit } from './token-bucket.js'
import type { ThrottleSettings, TrafficDirection } from './traffic-settings.js'
import type { TrafficTarget } from './traffic-target.js'

export type LimitKind =
  | 'ProvisionedThroughputExceeded'
  | 'MaxOnDemandThroughputExceeded'
  | 'AccountLimitExceeded'
  | 'KeyRangeThroughputExceeded'

export interface KindedRateLimit extends RateLimit {
  readonly kind: LimitKind
}

/** A table or a global index with its throughput. */
interface ThroughputHolder {
  ProvisionedThroughput?: ProvisionedThroughputDescription | undefined
  OnDemandThroughput?: OnDemandThroughput | undefined
}

export function isOnDemand({ description }: Table): boolean {
  return description.BillingModeSummary?.BillingMode === 'PAY_PER_REQUEST'
}

/** Returns the limit of a table or global index; undefined if it is unlimited. */
export function rateLimitOf(
  { table, index }: TrafficTarget,
  direction: TrafficDirection,
  settings: ThrottleSettings,
): KindedRateLimit | undefined {
  const { description } = table
  const indexes = description.GlobalSecondaryIndexes
  const described: ThroughputHolder = index
    ? (indexes?.find(({ IndexName }) => IndexName === index.name) ?? {})
    : description
  if (isOnDemand(table)) return onDemandLimitOf(described, direction, settings.onDemandUnits[direction])
  const unitsPerSecond = described.ProvisionedThroughput?.[`${direction}CapacityUnits`] ?? 0
  return { kind: 'ProvisionedThroughputExceeded', unitsPerSecond, burstSeconds: settings.burstSeconds }
}

function onDemandLimitOf(
  { OnDemandThroughput }: ThroughputHolder,
  direction: TrafficDirection,
  units: number | undefined,
): KindedRateLimit | undefined {
  const maxUnits = OnDemandThroughput?.[`Max${direction}RequestUnits`] ?? -1
  if (maxUnits > 0) return { kind: 'MaxOnDemandThroughputExceeded', unitsPerSecond: maxUnits, burstSeconds: 1 }
  return units === undefined ? undefined : { kind: 'AccountLimitExceeded', unitsPerSecond: units, burstSeconds: 1 }
}
