import type { UpdateTimeToLiveInput, UpdateTimeToLiveOutput } from '../../../dynamodb/operation-types.js'
import type { Engine } from '../../engine.js'
import { findCreatedTable } from '../../tables/find-table.js'
import { startExpiry, stopExpiry } from '../../tables/item-expiry.js'
import { validateUpdateTimeToLive } from './update-time-to-live.validation.js'

export function updateTimeToLive(engine: Engine, request: UpdateTimeToLiveInput): UpdateTimeToLiveOutput {
  const table = findCreatedTable(engine, request.TableName)
  const { AttributeName, Enabled } = request.TimeToLiveSpecification
  validateUpdateTimeToLive(table.expiry?.attributeName, request.TimeToLiveSpecification)
  if (Enabled) startExpiry(engine, table, AttributeName!)
  else stopExpiry(engine, table)
  return { TimeToLiveSpecification: { Enabled, AttributeName } }
}
