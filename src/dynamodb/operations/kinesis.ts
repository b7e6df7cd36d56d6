export type DestinationStatus = 'ENABLING' | 'ACTIVE' | 'DISABLING' | 'DISABLED' | 'ENABLE_FAILED' | 'UPDATING'

export type ApproximateCreationDateTimePrecision = 'MILLISECOND' | 'MICROSECOND'

export interface EnableKinesisStreamingConfiguration {
  ApproximateCreationDateTimePrecision?: ApproximateCreationDateTimePrecision | undefined
}

export interface KinesisStreamingDestinationRequest {
  TableName: string
  StreamArn: string
  EnableKinesisStreamingConfiguration?: EnableKinesisStreamingConfiguration | undefined
}

export interface KinesisStreamingDestinationAnswer {
  TableName?: string | undefined
  StreamArn?: string | undefined
  DestinationStatus?: DestinationStatus | undefined
  EnableKinesisStreamingConfiguration?: EnableKinesisStreamingConfiguration | undefined
}

export interface DescribeKinesisStreamingDestinationRequest {
  TableName: string
}

export interface KinesisDataStreamDestination {
  StreamArn?: string | undefined
  DestinationStatus?: DestinationStatus | undefined
  DestinationStatusDescription?: string | undefined
  ApproximateCreationDateTimePrecision?: ApproximateCreationDateTimePrecision | undefined
}

export interface DescribeKinesisStreamingDestinationAnswer {
  TableName?: string | undefined
  KinesisDataStreamDestinations?: KinesisDataStreamDestination[] | undefined
}
