import { HOUR_SECONDS, PRICES_OF, WRITE_MILLION_DOLLARS } from '../../dynamodb/dollars.js'
import { ON_DEMAND_INITIAL_WRITE_UNITS, WRITE_UNIT_BYTES } from '../../dynamodb/limits.js'
import type { TableDescription } from '../../dynamodb/operations/table-description.js'
import type { Capacity } from '../../layout/design.js'

const MILLION = 1_000_000
const MINUTE_SECONDS = 60

/** What building an index on a live table takes, as a sentence. Reading the table is on the service. */
export function backfillCost(live: TableDescription, capacity: Capacity | undefined): string {
  const items = live.ItemCount ?? 0
  if (items === 0)
    return 'The table is empty, or not yet counted: the service counts items about every six hours, and each item with the keys of the index costs its size in write units.'
  const bytes = Math.ceil((live.TableSizeBytes ?? 0) / items)
  const units = items * Math.max(1, Math.ceil(bytes / WRITE_UNIT_BYTES))
  const reads = `The service reads ${number(items)} items of ${number(bytes)} B on average, at no charge, and writes those with the keys of the index: if all have them and are of that size, ${number(units)} write units`
  if (!capacity) {
    const dollars = (units / MILLION) * WRITE_MILLION_DOLLARS
    const isStandard = live.TableClassSummary?.TableClass !== 'STANDARD_INFREQUENT_ACCESS'
    const price = isStandard ? `$${dollars.toFixed(2)} (${PRICES_OF})` : 'at the price of Standard-IA'
    const time = duration(units / ON_DEMAND_INITIAL_WRITE_UNITS)
    return `${reads}, ${price}, ${time} at the ${number(ON_DEMAND_INITIAL_WRITE_UNITS)} a second that a new index takes.`
  }
  return `${reads}, ${duration(units / capacity.write)} at ${number(capacity.write)} WCU; more WCU make it faster.`
}

export function number(value: number): string {
  return value.toLocaleString('en-US')
}

function duration(seconds: number): string {
  if (seconds < MINUTE_SECONDS) return 'under a minute'
  if (seconds < HOUR_SECONDS) return plural(Math.round(seconds / MINUTE_SECONDS), 'minute')
  return plural(Math.round(seconds / HOUR_SECONDS), 'hour')
}

export function plural(count: number, word: string): string {
  return `${number(count)} ${word}${count === 1 ? '' : 's'}`
}
