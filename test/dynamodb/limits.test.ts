import { expect, test } from 'vitest'
import { REQUEST_SHAPES as SHAPES } from '../../src/dynamodb/generated/request-shapes.js'
import * as limits from '../../src/dynamodb/limits.js'

/** The limits that AWS publishes in its model, which core code states too because it must not load the model. */
const PUBLISHED: Partial<Record<keyof typeof limits, readonly number[]>> = {
  ATTRIBUTE_NAME_BYTES: [SHAPES.AttributeName.max],
  BACKUP_ARN_CHARACTERS_MAX: [SHAPES.BackupArn.max],
  BACKUP_ARN_CHARACTERS_MIN: [SHAPES.BackupArn.min],
  BATCH_GET_KEYS: [SHAPES.BatchGetRequestMap.max, SHAPES.KeyList.max],
  BATCH_STATEMENTS: [SHAPES.PartiQLBatchRequest.max],
  BATCH_WRITE_ITEMS: [SHAPES.BatchWriteItemRequestMap.max, SHAPES.WriteRequests.max],
  CSV_HEADERS: [SHAPES.CsvHeaderList.max],
  CSV_HEADER_CHARACTERS: [SHAPES.CsvHeader.max],
  IMPORT_TOKEN_CHARACTERS_MAX: [SHAPES.ImportNextToken.max],
  IMPORT_TOKEN_CHARACTERS_MIN: [SHAPES.ImportNextToken.min],
  INDEX_INCLUDED_ATTRIBUTES: [SHAPES.NonKeyAttributeNameList.max],
  LIST_BACKUPS: [SHAPES.BackupsInputLimit.max],
  LIST_EXPORTS: [SHAPES.ListExportsMaxLimit.max],
  LIST_IMPORTS: [SHAPES.ListImportsMaxLimit.max],
  LIST_INSIGHTS: [SHAPES.ListContributorInsightsLimit.max],
  LIST_TABLES_NAMES: [SHAPES.ListTablesInputLimit.max],
  NAME_CHARACTERS_MAX: [SHAPES.TableName.max, SHAPES.IndexName.max, SHAPES.KeySchemaAttributeName.max],
  NAME_CHARACTERS_MIN: [SHAPES.TableName.min, SHAPES.IndexName.min],
  NEXT_TOKEN_CHARACTERS: [SHAPES.PartiQLNextToken.max],
  POLICY_REVISION_CHARACTERS: [SHAPES.PolicyRevisionId.max],
  RECOVERY_DAYS: [SHAPES.RecoveryPeriodInDays.max],
  REPLICA_SETTINGS: [SHAPES.ReplicaSettingsUpdateList.max],
  RESOURCE_ARN_CHARACTERS: [SHAPES.ResourceArnString.max],
  S3_BUCKET_CHARACTERS: [SHAPES.S3Bucket.max],
  S3_PREFIX_CHARACTERS: [SHAPES.S3Prefix.max],
  SCALING_POLICY_NAME_CHARACTERS: [SHAPES.AutoScalingPolicyName.max],
  SCALING_ROLE_CHARACTERS: [SHAPES.AutoScalingRoleArn.max],
  SCAN_SEGMENTS: [SHAPES.ScanTotalSegments.max],
  SEQUENCE_NUMBER_CHARACTERS_MAX: [SHAPES.SequenceNumber.max],
  SEQUENCE_NUMBER_CHARACTERS_MIN: [SHAPES.SequenceNumber.min],
  SHARD_ID_CHARACTERS_MAX: [SHAPES.ShardId.max],
  SHARD_ID_CHARACTERS_MIN: [SHAPES.ShardId.min],
  SHARD_ITERATOR_CHARACTERS: [SHAPES.ShardIterator.max],
  SSE_KEY_ID_CHARACTERS: [SHAPES.S3SseKmsKeyId.max],
  STATEMENT_CHARACTERS: [SHAPES.PartiQLStatement.max],
  STREAM_ARN_CHARACTERS_MAX: [SHAPES.StreamArn.max],
  STREAM_ARN_CHARACTERS_MIN: [SHAPES.StreamArn.min],
  TABLE_NAME_OR_ARN_CHARACTERS: [SHAPES.TableArn.max],
  TAG_KEY_CHARACTERS: [SHAPES.TagKeyString.max],
  TAG_VALUE_CHARACTERS: [SHAPES.TagValueString.max],
  TRANSACT_ITEMS: [
    SHAPES.TransactGetItemList.max,
    SHAPES.TransactWriteItemList.max,
    SHAPES.ParameterizedStatements.max,
  ],
  TRANSACT_TOKEN_CHARACTERS: [SHAPES.ClientRequestToken.max],
  TRANSFER_ARN_CHARACTERS_MAX: [SHAPES.ExportArn.max, SHAPES.ImportArn.max],
  TRANSFER_ARN_CHARACTERS_MIN: [SHAPES.ExportArn.min, SHAPES.ImportArn.min],
  VECTOR_DIMENSIONS: [SHAPES.SearchVectorList.max],
}

const LIMITS: ReadonlyMap<string, number> = new Map(Object.entries(limits))

test.each(Object.entries(PUBLISHED))('the limit %s is the published one', (name, published) => {
  expect(new Set(published)).toEqual(new Set([LIMITS.get(name)]))
})
