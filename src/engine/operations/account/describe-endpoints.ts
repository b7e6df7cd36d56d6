import type { DescribeEndpointsOutput } from '../../../dynamodb/operation-types.js'
import type { Engine } from '../../engine.js'

const CACHE_PERIOD_MINUTES = 1440

export function describeEndpoints({ region }: Engine): DescribeEndpointsOutput {
  return {
    Endpoints: [{ Address: `dynamodb.${region}.amazonaws.com`, CachePeriodInMinutes: CACHE_PERIOD_MINUTES }],
  }
}
