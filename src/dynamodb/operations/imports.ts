import type { AttributeDefinition, GlobalSecondaryIndex, KeySchemaElement, VectorIndex } from './indexes.js'
import type { SSESpecification } from './tables.js'
import type { BillingMode, OnDemandThroughput, ProvisionedThroughput } from './throughput.js'

export type ImportStatus = 'IN_PROGRESS' | 'COMPLETED' | 'CANCELLING' | 'CANCELLED' | 'FAILED'
export type InputFormat = 'DYNAMODB_JSON' | 'ION' | 'CSV'
export type InputCompressionType = 'GZIP' | 'ZSTD' | 'NONE'

export interface S3BucketSource {
  S3BucketOwner?: string | undefined
  S3Bucket: string
  /** Every object whose key begins with it is imported. */
  S3KeyPrefix?: string | undefined
}

export interface CsvOptions {
  Delimiter?: string | undefined
  /** With it, the first line of a file is data. */
  HeaderList?: string[] | undefined
}

export interface InputFormatOptions {
  Csv?: CsvOptions | undefined
}

/** The table that an import creates. */
export interface TableCreationParameters {
  TableName: string
  AttributeDefinitions: AttributeDefinition[]
  KeySchema: KeySchemaElement[]
  BillingMode?: BillingMode | undefined
  ProvisionedThroughput?: ProvisionedThroughput | undefined
  OnDemandThroughput?: OnDemandThroughput | undefined
  SSESpecification?: SSESpecification | undefined
  GlobalSecondaryIndexes?: GlobalSecondaryIndex[] | undefined
  VectorIndexes?: VectorIndex[] | undefined
}

/** A part of a request as an answer has it: the AWS SDK declares each of its members as possibly undefined. */
type Described<Part> = Part extends string | number | boolean | undefined
  ? Part
  : Part extends readonly (infer Element)[]
    ? Described<Element>[]
    : { [Name in keyof Part]: Described<Part[Name]> | undefined }

export interface ImportTableDescription {
  ImportArn?: string | undefined
  ImportStatus?: ImportStatus | undefined
  TableArn?: string | undefined
  TableId?: string | undefined
  ClientToken?: string | undefined
  S3BucketSource?: Described<S3BucketSource> | undefined
  ErrorCount?: number | undefined
  CloudWatchLogGroupArn?: string | undefined
  InputFormat?: InputFormat | undefined
  InputFormatOptions?: InputFormatOptions | undefined
  InputCompressionType?: InputCompressionType | undefined
  TableCreationParameters?: Described<TableCreationParameters> | undefined
  StartTime?: Date | undefined
  EndTime?: Date | undefined
  ProcessedSizeBytes?: number | undefined
  ProcessedItemCount?: number | undefined
  ImportedItemCount?: number | undefined
  FailureCode?: string | undefined
  FailureMessage?: string | undefined
}

export interface ImportSummary {
  ImportArn?: string | undefined
  ImportStatus?: ImportStatus | undefined
  TableArn?: string | undefined
  S3BucketSource?: Described<S3BucketSource> | undefined
  CloudWatchLogGroupArn?: string | undefined
  InputFormat?: InputFormat | undefined
  StartTime?: Date | undefined
  EndTime?: Date | undefined
}

export interface ImportTableInput {
  ClientToken?: string | undefined
  S3BucketSource: S3BucketSource
  InputFormat: InputFormat
  InputFormatOptions?: InputFormatOptions | undefined
  InputCompressionType?: InputCompressionType | undefined
  TableCreationParameters: TableCreationParameters
}

export interface ImportTableOutput {
  ImportTableDescription: ImportTableDescription | undefined
}

export interface DescribeImportInput {
  ImportArn: string
}

export interface DescribeImportOutput {
  ImportTableDescription: ImportTableDescription | undefined
}

export interface ListImportsInput {
  TableArn?: string | undefined
  PageSize?: number | undefined
  NextToken?: string | undefined
}

export interface ListImportsOutput {
  ImportSummaryList?: ImportSummary[] | undefined
  NextToken?: string | undefined
}
