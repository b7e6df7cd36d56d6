import type { ListBackupsInput } from '../../../dynamodb/operation-types.js'
import { invalidParameterError } from '../../errors.js'
import { toTimestampMs } from '../../streams/read-records.js'

/** Returns the range of creation times to list. */
export function validateListBackups(request: ListBackupsInput): { readonly fromMs: number; readonly toMs: number } {
  const { TimeRangeLowerBound: lower, TimeRangeUpperBound: upper } = request
  const fromMs = lower === undefined ? Number.NEGATIVE_INFINITY : toTimestampMs(lower)
  const toMs = upper === undefined ? Number.POSITIVE_INFINITY : toTimestampMs(upper)
  if (fromMs > toMs) throw invalidParameterError('Time range lower bound must be less than or equal to upper bound')
  return { fromMs, toMs }
}
