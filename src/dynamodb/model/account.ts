import { structure } from './shapes.js'

export const describeLimits = structure('DescribeLimitsInput', {})
export const describeEndpoints = structure('DescribeEndpointsRequest', {})
