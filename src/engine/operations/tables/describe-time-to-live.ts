import type { DescribeTimeToLiveInput, DescribeTimeToLiveOutput } from '../../../dynamodb/operation-types.js'
import type { Engine } from '../../engine.js'
import { validationError } from '../../errors.js'
import { findTableUnlessRestoring } from '../../tables/find-table.js'

export function describeTimeToLive(engine: Engine, request: DescribeTimeToLiveInput): DescribeTimeToLiveOutput {
  const { expiry, transition } = findTableUnlessRestoring(engine, request.TableName)
  const status = transition?.status
  if (status === 'CREATING' || status === 'DELETING') throw tableNotActiveError(status)
  if (!expiry) return { TimeToLiveDescription: { TimeToLiveStatus: 'DISABLED' } }
  return { TimeToLiveDescription: { TimeToLiveStatus: 'ENABLED', AttributeName: expiry.attributeName } }
}

const tableNotActiveError = (status: string) =>
  validationError(`Cannot describe time to live while table is in ${status} state: Current table state is ${status}`)
