import type { TimeToLiveSpecification } from '../../dynamodb/operations/time-to-live.js'
import { validation } from '../errors.js'
import type { Table } from '../tables/table.js'

/** Only a change is taken, and the attribute can be changed only while time to live is disabled. */
export function validateUpdateTimeToLive(current: Table['timeToLive'], wanted: TimeToLiveSpecification): void {
  if (!current?.enabled) {
    if (!wanted.Enabled) throw validation('TimeToLive is already disabled')
    return
  }
  if (current.attributeName !== wanted.AttributeName) {
    throw validation(
      `TimeToLive is active on a different AttributeName: current AttributeName is ${current.attributeName}`,
    )
  }
  if (wanted.Enabled) throw validation('TimeToLive is already enabled')
}
