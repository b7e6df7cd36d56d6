import type { ListBackupsRequest } from '../../dynamodb/operations/backups.js'
import { invalidParameter } from '../errors.js'
import { timestampMs } from '../streams/read.js'

/** The time in which the backups were made. */
export function validateListBackups(request: ListBackupsRequest): { readonly fromMs: number; readonly toMs: number } {
  const { TimeRangeLowerBound: lower, TimeRangeUpperBound: upper } = request
  const fromMs = lower === undefined ? Number.NEGATIVE_INFINITY : timestampMs(lower)
  const toMs = upper === undefined ? Number.POSITIVE_INFINITY : timestampMs(upper)
  if (fromMs > toMs) throw invalidParameter('Time range lower bound must be less than or equal to upper bound')
  return { fromMs, toMs }
}
