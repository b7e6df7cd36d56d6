import type { DescribeTimeToLiveAnswer, DescribeTimeToLiveRequest } from '../../dynamodb/operations/time-to-live.js'
import type { Engine } from '../engine.js'
import { validation } from '../errors.js'
import { findUnlessRestoring } from '../tables/find.js'

export function describeTimeToLive(engine: Engine, request: DescribeTimeToLiveRequest): DescribeTimeToLiveAnswer {
  const { expiry, transition } = findUnlessRestoring(engine, request.TableName)
  const status = transition?.status
  if (status === 'CREATING' || status === 'DELETING') throw tableNotActive(status)
  if (!expiry) return { TimeToLiveDescription: { TimeToLiveStatus: 'DISABLED' } }
  return { TimeToLiveDescription: { TimeToLiveStatus: 'ENABLED', AttributeName: expiry.attributeName } }
}

const tableNotActive = (status: string) =>
  validation(`Cannot describe time to live while table is in ${status} state: Current table state is ${status}`)
