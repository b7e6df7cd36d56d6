import type { AttributeValue } from '../attribute-value.js'

export type ExportStatus = 'IN_PROGRESS' | 'COMPLETED' | 'FAILED'
export type ExportFormat = 'DYNAMODB_JSON' | 'ION'
export type ExportType = 'FULL_EXPORT' | 'INCREMENTAL_EXPORT'
export type ExportViewType = 'NEW_IMAGE' | 'NEW_AND_OLD_IMAGES'
export type S3SseAlgorithm = 'AES256' | 'KMS'

/** The period of an incremental export. */
export interface IncrementalExportSpecification {
  /** Inclusive. */
  ExportFromTime?: Date | undefined
  /** Exclusive. */
  ExportToTime?: Date | undefined
  ExportViewType?: ExportViewType | undefined
}

/** Which items and attributes an export has. */
export interface FilterSpecification {
  FilterExpression?: string | undefined
  ProjectionExpression?: string | undefined
  KeyConditionExpression?: string | undefined
  ExpressionAttributeNames?: Record<string, string> | undefined
  ExpressionAttributeValues?: Record<string, AttributeValue> | undefined
}

export interface ExportDescription {
  ExportArn?: string | undefined
  ExportStatus?: ExportStatus | undefined
  StartTime?: Date | undefined
  EndTime?: Date | undefined
  /** The key of the summary manifest in the bucket. */
  ExportManifest?: string | undefined
  TableArn?: string | undefined
  TableId?: string | undefined
  ExportTime?: Date | undefined
  ClientToken?: string | undefined
  S3Bucket?: string | undefined
  S3BucketOwner?: string | undefined
  S3Prefix?: string | undefined
  S3SseAlgorithm?: S3SseAlgorithm | undefined
  S3SseKmsKeyId?: string | undefined
  FailureCode?: string | undefined
  FailureMessage?: string | undefined
  ExportFormat?: ExportFormat | undefined
  BilledSizeBytes?: number | undefined
  ItemCount?: number | undefined
  ExportType?: ExportType | undefined
  IncrementalExportSpecification?: IncrementalExportSpecification | undefined
  FilterSpecification?: FilterSpecification | undefined
}

export interface ExportSummary {
  ExportArn?: string | undefined
  ExportStatus?: ExportStatus | undefined
  ExportType?: ExportType | undefined
}

export interface ExportTableToPointInTimeInput {
  TableArn: string
  /** The table is exported as it was at this time; as it is now by default. */
  ExportTime?: Date | undefined
  ClientToken?: string | undefined
  S3Bucket: string
  S3BucketOwner?: string | undefined
  S3Prefix?: string | undefined
  S3SseAlgorithm?: S3SseAlgorithm | undefined
  S3SseKmsKeyId?: string | undefined
  ExportFormat?: ExportFormat | undefined
  ExportType?: ExportType | undefined
  IncrementalExportSpecification?: IncrementalExportSpecification | undefined
  FilterSpecification?: FilterSpecification | undefined
}

export interface ExportTableToPointInTimeOutput {
  ExportDescription?: ExportDescription | undefined
}

export interface DescribeExportInput {
  ExportArn: string
}

export interface DescribeExportOutput {
  ExportDescription?: ExportDescription | undefined
}

export interface ListExportsInput {
  TableArn?: string | undefined
  MaxResults?: number | undefined
  NextToken?: string | undefined
}

export interface ListExportsOutput {
  ExportSummaries?: ExportSummary[] | undefined
  NextToken?: string | undefined
}
