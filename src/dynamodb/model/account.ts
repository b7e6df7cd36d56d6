import { structureShape } from './shapes.js'

export const describeLimits = structureShape('DescribeLimitsInput', {})
export const describeEndpoints = structureShape('DescribeEndpointsRequest', {})
