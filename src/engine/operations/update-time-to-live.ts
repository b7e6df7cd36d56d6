import type { UpdateTimeToLiveAnswer, UpdateTimeToLiveRequest } from '../../dynamodb/operations/time-to-live.js'
import type { Engine } from '../engine.js'
import { findTableItself } from '../tables/find.js'
import { validateUpdateTimeToLive } from './update-time-to-live.validation.js'

export function updateTimeToLive(engine: Engine, request: UpdateTimeToLiveRequest): UpdateTimeToLiveAnswer {
  const table = findTableItself(engine, request.TableName)
  const { AttributeName, Enabled } = request.TimeToLiveSpecification
  validateUpdateTimeToLive(table.timeToLive, request.TimeToLiveSpecification)
  table.timeToLive = Enabled ? { attributeName: AttributeName!, enabled: true } : undefined
  return { TimeToLiveSpecification: { Enabled, AttributeName } }
}
