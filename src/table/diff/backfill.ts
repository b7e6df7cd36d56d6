import { ON_DEMAND_INITIAL_WRITE_UNITS, WRITE_UNIT_BYTES } from '../../dynamodb/limits.js'
import type { TableDescription } from '../../dynamodb/operation-types.js'
import { HOUR_SECONDS, PRICE_REGION_AND_DATE, WRITE_MILLION_DOLLARS } from '../../dynamodb/prices.js'
import type { ProvisionedCapacity } from '../../layout/design.js'

const MILLION = 1_000_000
const MINUTE_SECONDS = 60

/** Describes the cost of building an index on a live table. DynamoDB does not charge for reading the table. */
export function describeBackfillCost(live: TableDescription, capacity: ProvisionedCapacity | undefined): string {
  const items = live.ItemCount ?? 0
  if (items === 0)
    return 'The table is empty, or not yet counted: the service counts items about every six hours, and each item with the keys of the index costs its size in write units.'
  const bytes = Math.ceil((live.TableSizeBytes ?? 0) / items)
  const units = items * Math.max(1, Math.ceil(bytes / WRITE_UNIT_BYTES))
  const reads = `The service reads ${formatNumber(items)} items of ${formatNumber(bytes)} B on average, at no charge, and writes those with the keys of the index: if all have them and are of that size, ${formatNumber(units)} write units`
  if (!capacity) {
    const dollars = (units / MILLION) * WRITE_MILLION_DOLLARS
    const isStandard = live.TableClassSummary?.TableClass !== 'STANDARD_INFREQUENT_ACCESS'
    const price = isStandard ? `$${dollars.toFixed(2)} (${PRICE_REGION_AND_DATE})` : 'at the price of Standard-IA'
    const time = formatDuration(units / ON_DEMAND_INITIAL_WRITE_UNITS)
    return `${reads}, ${price}, ${time} at the ${formatNumber(ON_DEMAND_INITIAL_WRITE_UNITS)} a second that a new index takes.`
  }
  return `${reads}, ${formatDuration(units / capacity.write)} at ${formatNumber(capacity.write)} WCU; more WCU make it faster.`
}

export function formatNumber(value: number): string {
  return value.toLocaleString('en-US')
}

function formatDuration(seconds: number): string {
  if (seconds < MINUTE_SECONDS) return 'under a minute'
  if (seconds < HOUR_SECONDS) return pluralize(Math.round(seconds / MINUTE_SECONDS), 'minute')
  return pluralize(Math.round(seconds / HOUR_SECONDS), 'hour')
}

export function pluralize(count: number, word: string): string {
  return `${formatNumber(count)} ${word}${count === 1 ? '' : 's'}`
}
