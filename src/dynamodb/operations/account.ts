export type DescribeLimitsInput = object

export interface DescribeLimitsOutput {
  AccountMaxReadCapacityUnits?: number | undefined
  AccountMaxWriteCapacityUnits?: number | undefined
  TableMaxReadCapacityUnits?: number | undefined
  TableMaxWriteCapacityUnits?: number | undefined
}

export type DescribeEndpointsInput = object

export interface Endpoint {
  Address: string | undefined
  CachePeriodInMinutes: number | undefined
}

export interface DescribeEndpointsOutput {
  Endpoints: Endpoint[] | undefined
}
