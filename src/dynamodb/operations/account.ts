export type DescribeLimitsRequest = object

export interface DescribeLimitsAnswer {
  AccountMaxReadCapacityUnits?: number | undefined
  AccountMaxWriteCapacityUnits?: number | undefined
  TableMaxReadCapacityUnits?: number | undefined
  TableMaxWriteCapacityUnits?: number | undefined
}

export type DescribeEndpointsRequest = object

export interface Endpoint {
  Address: string | undefined
  CachePeriodInMinutes: number | undefined
}

export interface DescribeEndpointsAnswer {
  Endpoints: Endpoint[] | undefined
}
