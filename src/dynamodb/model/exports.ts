import {
  LIST_EXPORTS,
  S3_BUCKET_CHARACTERS,
  S3_PREFIX_CHARACTERS,
  SSE_KEY_ID_CHARACTERS,
  TABLE_NAME_OR_ARN_CHARACTERS,
  TRANSFER_ARN_CHARACTERS_MAX,
  TRANSFER_ARN_CHARACTERS_MIN,
} from '../limits.js'
import { max, min, pattern } from './constraints.js'
import { expressionAttributes, expressionText } from './members.js'
import { enumShape, integerShape, requiredShape, structureShape, textShape, timestampShape } from './shapes.js'

export const s3Bucket = requiredShape(
  textShape(max(S3_BUCKET_CHARACTERS), pattern(String.raw`^[a-z0-9A-Z]+[\.\-\w]*[a-z0-9A-Z]+$`)),
)
export const s3BucketOwner = textShape(pattern('[0-9]{12}'))
export const s3Prefix = textShape(max(S3_PREFIX_CHARACTERS))
export const clientToken = textShape(pattern(String.raw`^[^\$]+$`))
export const transferArn = requiredShape(textShape(min(TRANSFER_ARN_CHARACTERS_MIN), max(TRANSFER_ARN_CHARACTERS_MAX)))
export const listedTableArn = textShape(min(1), max(TABLE_NAME_OR_ARN_CHARACTERS))

export const exportTableToPointInTime = structureShape('ExportTableToPointInTimeInput', {
  TableArn: requiredShape(listedTableArn),
  ExportTime: timestampShape,
  ClientToken: clientToken,
  S3Bucket: s3Bucket,
  S3BucketOwner: s3BucketOwner,
  S3Prefix: s3Prefix,
  S3SseAlgorithm: enumShape('AES256', 'KMS'),
  S3SseKmsKeyId: textShape(min(1), max(SSE_KEY_ID_CHARACTERS)),
  ExportFormat: enumShape('ION', 'DYNAMODB_JSON'),
  ExportType: enumShape('FULL_EXPORT', 'INCREMENTAL_EXPORT'),
  IncrementalExportSpecification: structureShape('IncrementalExportSpecification', {
    ExportFromTime: timestampShape,
    ExportToTime: timestampShape,
    ExportViewType: enumShape('NEW_IMAGE', 'NEW_AND_OLD_IMAGES'),
  }),
  FilterSpecification: structureShape('FilterSpecification', {
    FilterExpression: expressionText,
    ProjectionExpression: expressionText,
    KeyConditionExpression: expressionText,
    ...expressionAttributes,
  }),
})

export const describeExport = structureShape('DescribeExportInput', { ExportArn: transferArn })

export const listExports = structureShape('ListExportsInput', {
  TableArn: listedTableArn,
  MaxResults: integerShape(min(1), max(LIST_EXPORTS)),
  NextToken: textShape(),
})
