export type TimeToLiveStatus = 'ENABLING' | 'ENABLED' | 'DISABLING' | 'DISABLED'

/** In requests and in answers, so its members may be undefined as the AWS SDK's are; a request needs both. */
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
