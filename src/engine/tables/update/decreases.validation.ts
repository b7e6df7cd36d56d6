import { CAPACITY_DECREASE_MS, CAPACITY_DECREASES } from '../../../dynamodb/limits.js'
import type { ProvisionedThroughput, ProvisionedThroughputDescription } from '../../../dynamodb/operation-types.js'
import { limitExceededError } from '../../errors.js'
import { nextMidnightMs } from '../utc-days.js'

/** Throws if a decrease comes too soon after other decreases of the same day. */
export function checkDecrease(
  current: ProvisionedThroughputDescription,
  wanted: ProvisionedThroughput,
  nowMs: number,
): void {
  const { LastDecreaseDateTime: last, NumberOfDecreasesToday: today = 0 } = current
  const reads = wanted.ReadCapacityUnits < (current.ReadCapacityUnits ?? 0)
  const writes = wanted.WriteCapacityUnits < (current.WriteCapacityUnits ?? 0)
  if (!last || !(reads || writes) || today < CAPACITY_DECREASES) return
  const nextMs = Math.min(last.getTime() + CAPACITY_DECREASE_MS, nextMidnightMs(last.getTime()))
  if (nowMs >= nextMs) return
  throw limitExceededError(
    'Subscriber limit exceeded: Provisioned throughput decreases are limited within a given UTC day. After the first ' +
      `${CAPACITY_DECREASES} decreases, each subsequent decrease in the same UTC day can be performed at most once every ` +
      `${CAPACITY_DECREASE_MS / 1000} seconds. Number of decreases today: ${today}. ` +
      `Last decrease at ${formatTime(last.getTime())}. Next decrease can be made at ${formatTime(nextMs)}`,
  )
}

const FULL = new Intl.DateTimeFormat('en-US', { dateStyle: 'full', timeStyle: 'full', timeZone: 'UTC' })

/** Some versions of Node put a narrow no-break space before AM and PM. */
function formatTime(ms: number): string {
  return FULL.format(ms).replaceAll('\u202f', ' ')
}
