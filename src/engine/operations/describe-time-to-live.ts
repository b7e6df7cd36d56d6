import type { DescribeTimeToLiveAnswer, DescribeTimeToLiveRequest } from '../../dynamodb/operations/time-to-live.js'
import type { Engine } from '../engine.js'
import { findTableItself } from '../tables/find.js'

export function describeTimeToLive(engine: Engine, request: DescribeTimeToLiveRequest): DescribeTimeToLiveAnswer {
  const { timeToLive } = findTableItself(engine, request.TableName)
  if (!timeToLive?.enabled) return { TimeToLiveDescription: { TimeToLiveStatus: 'DISABLED' } }
  return { TimeToLiveDescription: { TimeToLiveStatus: 'ENABLED', AttributeName: timeToLive.attributeName } }
}
