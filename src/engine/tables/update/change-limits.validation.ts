import type { TableClass, UpdateTableInput } from '../../../dynamodb/operation-types.js'
import { limitExceededError } from '../../errors.js'
import type { Table } from '../table.js'

const HOUR_MS = 3600 * 1000
const DAY_MS = 24 * HOUR_MS
const CLASS_CHANGES = 2
const CLASS_DAYS = 30
/** After this number of changes within a day, one change is allowed per interval. */
const ENCRYPTION_CHANGES = 4
const ENCRYPTION_INTERVAL_MS = 6 * HOUR_MS

/** The times of changes of the class and encryption that limit further changes, in ascending order. */
export interface ChangeTimes {
  readonly classMs: readonly number[]
  readonly encryptionMs: readonly number[]
}

export const NO_CHANGES: ChangeTimes = { classMs: [], encryptionMs: [] }

/** Checks the limits for changes of the class and encryption. A request for the current class is rejected too. */
export function checkChangeLimits({ changeTimes }: Table, request: UpdateTableInput, nowMs: number): void {
  if (request.TableClass && recentClassChanges(changeTimes, nowMs).length >= CLASS_CHANGES)
    throw limitExceededError(
      `Subscriber limit exceeded: Updates to TableClass are limited to ${CLASS_CHANGES} times in ${CLASS_DAYS} day(s).`,
    )
  const changes = recentEncryptionChanges(changeTimes, nowMs)
  if (!request.SSESpecification || changes.length < ENCRYPTION_CHANGES) return
  const [firstMs, lastMs] = [changes[0]!, changes.at(-1)!]
  if (nowMs >= lastMs + ENCRYPTION_INTERVAL_MS) return
  throw limitExceededError(
    `Subscriber limit exceeded: Encryption mode changes are limited in the 24h window ending at ` +
      `${new Date(firstMs + DAY_MS).toISOString()}. After the first ${ENCRYPTION_CHANGES} change, each subsequent ` +
      `change in the same window can be performed at most once every ${ENCRYPTION_INTERVAL_MS / 1000} seconds. ` +
      `Number of updates today: ${changes.length}. Last change at ${new Date(lastMs).toISOString()}`,
  )
}

/** Returns the change times after a valid request. */
export function withChangeTimes(
  times: ChangeTimes,
  request: UpdateTableInput,
  currentClass: TableClass,
  nowMs: number,
): ChangeTimes {
  const { TableClass, SSESpecification } = request
  const { classMs, encryptionMs } = times
  if (TableClass && TableClass !== currentClass)
    return { encryptionMs, classMs: [...recentClassChanges(times, nowMs), nowMs] }
  if (SSESpecification) return { classMs, encryptionMs: [...recentEncryptionChanges(times, nowMs), nowMs] }
  return times
}

function recentClassChanges({ classMs }: ChangeTimes, nowMs: number): readonly number[] {
  return classMs.filter(ms => ms > nowMs - CLASS_DAYS * DAY_MS)
}

/** Returns the changes of the current 24-hour window. */
function recentEncryptionChanges({ encryptionMs }: ChangeTimes, nowMs: number): readonly number[] {
  return encryptionMs[0] !== undefined && nowMs < encryptionMs[0] + DAY_MS ? encryptionMs : []
}
