import type { AttributeDefinition } from '../../dynamodb/operations/indexes.js'
import type { TableDescription } from '../../dynamodb/operations/table-description.js'
import type { CreateTableRequest } from '../../dynamodb/operations/tables.js'
import type { Engine } from '../engine.js'
import { keyArn, tableArn } from './arns.js'
import { describeGlobalIndex, describeLocalIndex, describeVectorIndex } from './describe-indexes.js'
import { describeThroughput } from './describe-throughput.js'
import type { Table } from './table.js'

/** A new table as DescribeTable answers it once it is active. */
export function describeNewTable(engine: Engine, request: CreateTableRequest, id: string): TableDescription {
  const created = new Date(engine.now())
  return {
    AttributeDefinitions: request.AttributeDefinitions?.toSorted(byName),
    TableName: request.TableName,
    KeySchema: request.KeySchema,
    TableStatus: 'ACTIVE',
    CreationDateTime: created,
    ...describeThroughput(request),
    TableSizeBytes: 0,
    ItemCount: 0,
    TableArn: tableArn(engine, request.TableName),
    TableId: id,
    ...(request.BillingMode === 'PAY_PER_REQUEST'
      ? { BillingModeSummary: { BillingMode: 'PAY_PER_REQUEST', LastUpdateToPayPerRequestDateTime: created } }
      : {}),
    ...describeIndexes(engine, request),
    ...describeSettings(engine, request, created),
  }
}

function describeIndexes(engine: Engine, request: CreateTableRequest): TableDescription {
  const { LocalSecondaryIndexes, GlobalSecondaryIndexes, VectorIndexes } = request
  const arn = tableArn(engine, request.TableName)
  return {
    ...(LocalSecondaryIndexes && {
      LocalSecondaryIndexes: LocalSecondaryIndexes.map(index => describeLocalIndex(index, arn)),
    }),
    ...(GlobalSecondaryIndexes && {
      GlobalSecondaryIndexes: GlobalSecondaryIndexes.map(index => describeGlobalIndex(index, arn)),
    }),
    ...(VectorIndexes && { VectorIndexes: VectorIndexes.map(index => describeVectorIndex(index, arn)) }),
  }
}

function describeSettings(engine: Engine, request: CreateTableRequest, created: Date): TableDescription {
  const { SSESpecification: encryption, TableClass, GlobalTableSettingsReplicationMode } = request
  const encrypted = encryption?.Enabled ?? encryption?.SSEType === 'KMS'
  return {
    ...(request.StreamSpecification?.StreamEnabled ? describeStream(engine, request, created) : {}),
    ...(encrypted && {
      SSEDescription: {
        Status: 'ENABLED',
        SSEType: 'KMS',
        KMSMasterKeyArn: keyArn(engine, encryption?.KMSMasterKeyId),
      },
    }),
    ...(TableClass && { TableClassSummary: { TableClass } }),
    DeletionProtectionEnabled: request.DeletionProtectionEnabled ?? false,
    ...(GlobalTableSettingsReplicationMode && { GlobalTableSettingsReplicationMode }),
  }
}

/** A stream's label is the time at which it was enabled. */
function describeStream(engine: Engine, request: CreateTableRequest, enabled: Date): TableDescription {
  const label = enabled.toISOString().slice(0, -1)
  return {
    StreamSpecification: request.StreamSpecification,
    LatestStreamLabel: label,
    LatestStreamArn: `${tableArn(engine, request.TableName)}/stream/${label}`,
  }
}

/** A table as it is now, in objects of the caller's own. */
export function describeTable(table: Table): TableDescription {
  const description = structuredClone(table.description)
  description.ItemCount = table.itemCount
  description.TableSizeBytes = table.sizeBytes
  for (const described of [
    ...(description.LocalSecondaryIndexes ?? []),
    ...(description.GlobalSecondaryIndexes ?? []),
  ]) {
    const index = table.indexes.find(candidate => candidate.name === described.IndexName)!
    described.ItemCount = index.itemCount
    described.IndexSizeBytes = index.sizeBytes
  }
  return description
}

function byName(a: AttributeDefinition, b: AttributeDefinition): number {
  return a.AttributeName! < b.AttributeName! ? -1 : 1
}
