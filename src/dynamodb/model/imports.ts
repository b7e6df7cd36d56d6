import {
  CSV_HEADER_CHARACTERS,
  CSV_HEADERS,
  IMPORT_TOKEN_CHARACTERS_MAX,
  IMPORT_TOKEN_CHARACTERS_MIN,
  LIST_IMPORTS,
} from '../limits.js'
import { max, min, pattern } from './constraints.js'
import { clientToken, listedTableArn, s3Bucket, s3BucketOwner, s3Prefix, transferArn } from './exports.js'
import { globalSecondaryIndexes, keySchema, vectorIndexes } from './indexes.js'
import { NAME_RULES } from './members.js'
import { enumShape, integerShape, listShape, requiredShape, structureShape, textShape } from './shapes.js'
import { attributeDefinitions, billingMode, encryption } from './tables.js'
import { onDemandThroughput, provisionedThroughput } from './throughput.js'

const csvHeader = textShape(min(1), max(CSV_HEADER_CHARACTERS), pattern(String.raw`[\x20-\x21\x23-\x2B\x2D-\x7E]*`))

export const importTable = structureShape('ImportTableInput', {
  ClientToken: clientToken,
  S3BucketSource: requiredShape(
    structureShape('S3BucketSource', { S3BucketOwner: s3BucketOwner, S3Bucket: s3Bucket, S3KeyPrefix: s3Prefix }),
  ),
  InputFormat: requiredShape(enumShape('DYNAMODB_JSON', 'ION', 'CSV')),
  InputFormatOptions: structureShape('InputFormatOptions', {
    Csv: structureShape('CsvOptions', {
      Delimiter: textShape(max(1), min(1), pattern(String.raw`[,;:|\t ]`)),
      HeaderList: listShape(csvHeader, max(CSV_HEADERS), min(1)),
    }),
  }),
  InputCompressionType: enumShape('ZSTD', 'NONE', 'GZIP'),
  TableCreationParameters: requiredShape(
    structureShape('TableCreationParameters', {
      TableName: requiredShape(textShape(...NAME_RULES)),
      AttributeDefinitions: requiredShape(attributeDefinitions),
      KeySchema: requiredShape(keySchema),
      BillingMode: billingMode,
      ProvisionedThroughput: provisionedThroughput,
      OnDemandThroughput: onDemandThroughput,
      SSESpecification: encryption,
      GlobalSecondaryIndexes: globalSecondaryIndexes,
      VectorIndexes: vectorIndexes,
    }),
  ),
})

export const describeImport = structureShape('DescribeImportInput', { ImportArn: transferArn })

export const listImports = structureShape('ListImportsInput', {
  TableArn: listedTableArn,
  PageSize: integerShape(min(1), max(LIST_IMPORTS)),
  NextToken: textShape(min(IMPORT_TOKEN_CHARACTERS_MIN), max(IMPORT_TOKEN_CHARACTERS_MAX), pattern('([0-9a-f]{16})+')),
})
