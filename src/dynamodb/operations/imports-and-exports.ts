export interface ListExportsRequest {
  TableArn?: string | undefined
  MaxResults?: number | undefined
  NextToken?: string | undefined
}

export interface ExportSummary {
  ExportArn?: string | undefined
  ExportStatus?: 'IN_PROGRESS' | 'COMPLETED' | 'FAILED' | undefined
  ExportType?: 'FULL_EXPORT' | 'INCREMENTAL_EXPORT' | undefined
}

export interface ListExportsAnswer {
  ExportSummaries?: ExportSummary[] | undefined
  NextToken?: string | undefined
}

export interface ListImportsRequest {
  TableArn?: string | undefined
  PageSize?: number | undefined
  NextToken?: string | undefined
}

export interface ImportSummary {
  ImportArn?: string | undefined
  ImportStatus?: 'IN_PROGRESS' | 'COMPLETED' | 'CANCELLING' | 'CANCELLED' | 'FAILED' | undefined
  TableArn?: string | undefined
  S3BucketSource?:
    | { S3BucketOwner?: string | undefined; S3Bucket: string | undefined; S3KeyPrefix?: string | undefined }
    | undefined
  CloudWatchLogGroupArn?: string | undefined
  InputFormat?: 'DYNAMODB_JSON' | 'ION' | 'CSV' | undefined
  StartTime?: Date | undefined
  EndTime?: Date | undefined
}

export interface ListImportsAnswer {
  ImportSummaryList?: ImportSummary[] | undefined
  NextToken?: string | undefined
}
