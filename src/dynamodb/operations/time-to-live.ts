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

export interface UpdateTimeToLiveRequest {
  TableName: string
  TimeToLiveSpecification: TimeToLiveSpecification
}

export interface UpdateTimeToLiveAnswer {
  TimeToLiveSpecification?: TimeToLiveSpecification | undefined
}

export interface DescribeTimeToLiveRequest {
  TableName: string
}

export interface DescribeTimeToLiveAnswer {
  TimeToLiveDescription?: TimeToLiveDescription | undefined
}
