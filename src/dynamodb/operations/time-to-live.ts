export type TimeToLiveStatus = 'ENABLING' | 'ENABLED' | 'DISABLING' | 'DISABLED'

/**
 * Used in requests and in responses, so its members may be undefined like those of the AWS SDK; a request requires
 * both.
 */
export interface TimeToLiveSpecification {
  Enabled: boolean | undefined
  AttributeName: string | undefined
}

export interface TimeToLiveDescription {
  TimeToLiveStatus?: TimeToLiveStatus | undefined
  AttributeName?: string | undefined
}

export interface UpdateTimeToLiveInput {
  TableName: string
  TimeToLiveSpecification: TimeToLiveSpecification
}

export interface UpdateTimeToLiveOutput {
  TimeToLiveSpecification?: TimeToLiveSpecification | undefined
}

export interface DescribeTimeToLiveInput {
  TableName: string
}

export interface DescribeTimeToLiveOutput {
  TimeToLiveDescription?: TimeToLiveDescription | undefined
}
