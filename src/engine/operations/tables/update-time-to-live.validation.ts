import type { TimeToLiveSpecification } from '../../../dynamodb/operation-types.js'
import { validationError } from '../../errors.js'

/** Accepts only a change of the state. The attribute can be changed only while time to live is disabled. */
export function validateUpdateTimeToLive(current: string | undefined, wanted: TimeToLiveSpecification): void {
  if (current === undefined) {
    if (!wanted.Enabled) throw validationError('TimeToLive is already disabled')
    return
  }
  if (current !== wanted.AttributeName) {
    throw validationError(`TimeToLive is active on a different AttributeName: current AttributeName is ${current}`)
  }
  if (wanted.Enabled) throw validationError('TimeToLive is already enabled')
}
