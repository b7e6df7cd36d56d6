import type { OnDemandThroughput, ProvisionedThroughputDescription } from '../../dynamodb/operations/throughput.js'
import type { Table } from '../tables/table.js'
import type { Limit } from './bucket.js'
import type { Direction, ThrottleSettings } from './settings.js'
import type { Target } from './target.js'

export type LimitKind =
  | 'ProvisionedThroughputExceeded'
  | 'MaxOnDemandThroughputExceeded'
  | 'AccountLimitExceeded'
  | 'KeyRangeThroughputExceeded'

export interface KnownLimit extends Limit {
  readonly kind: LimitKind
}

/** A table or a global index, as far as it says what it can take. */
interface Described {
  ProvisionedThroughput?: ProvisionedThroughputDescription | undefined
  OnDemandThroughput?: OnDemandThroughput | undefined
}

export function isOnDemand({ description }: Table): boolean {
  return description.BillingModeSummary?.BillingMode === 'PAY_PER_REQUEST'
}

/** What a table, or a global index of it, can take; undefined where that is anything. */
export function limitOf(
  { table, index }: Target,
  direction: Direction,
  settings: ThrottleSettings,
): KnownLimit | undefined {
  const { description } = table
  const indexes = description.GlobalSecondaryIndexes
  const described: Described = index ? (indexes?.find(({ IndexName }) => IndexName === index.name) ?? {}) : description
  if (isOnDemand(table)) return onDemandLimit(described, direction, settings.onDemandUnits[direction])
  const unitsPerSecond = described.ProvisionedThroughput?.[`${direction}CapacityUnits`] ?? 0
  return { kind: 'ProvisionedThroughputExceeded', unitsPerSecond, burstSeconds: settings.burstSeconds }
}

function onDemandLimit(
  { OnDemandThroughput }: Described,
  direction: Direction,
  units: number | undefined,
): KnownLimit | undefined {
  const most = OnDemandThroughput?.[`Max${direction}RequestUnits`] ?? -1
  if (most > 0) return { kind: 'MaxOnDemandThroughputExceeded', unitsPerSecond: most, burstSeconds: 1 }
  return units === undefined ? undefined : { kind: 'AccountLimitExceeded', unitsPerSecond: units, burstSeconds: 1 }
}
