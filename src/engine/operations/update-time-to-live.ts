import type { UpdateTimeToLiveAnswer, UpdateTimeToLiveRequest } from '../../dynamodb/operations/time-to-live.js'
import type { Engine } from '../engine.js'
import { startExpiry, stopExpiry } from '../tables/expiry.js'
import { findCreatedTable } from '../tables/find.js'
import { validateUpdateTimeToLive } from './update-time-to-live.validation.js'

export function updateTimeToLive(engine: Engine, request: UpdateTimeToLiveRequest): UpdateTimeToLiveAnswer {
  const table = findCreatedTable(engine, request.TableName)
  const { AttributeName, Enabled } = request.TimeToLiveSpecification
  validateUpdateTimeToLive(table.expiry?.attributeName, request.TimeToLiveSpecification)
  if (Enabled) startExpiry(engine, table, AttributeName!)
  else stopExpiry(engine, table)
  return { TimeToLiveSpecification: { Enabled, AttributeName } }
}
