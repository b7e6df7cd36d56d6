import type {
  AttributeDefinition,
  CreateTableInput,
  SSEDescription,
  SSESpecification,
  TableDescription,
} from '../../../dynamodb/operation-types.js'
import type { Engine } from '../../engine.js'
import { kmsKeyArn, tableArn } from '../arns.js'
import { applyDescriptionPatches, type PendingUpdate } from '../pending-update.js'
import type { Table } from '../table.js'
import { isSameDay } from '../utc-days.js'
import { describeGlobalIndex, describeLocalIndex, describeVectorIndex } from './index-descriptions.js'
import { describeThroughput } from './throughput-description.js'

/**
 * Describes a new table as DescribeTable does once it is active, without ARNs, which depend on the region of the
 * caller.
 */
export function describeNewTable(engine: Engine, request: CreateTableInput, id: string): TableDescription {
  const created = new Date(engine.now())
  return {
    AttributeDefinitions: request.AttributeDefinitions?.toSorted(compareByAttributeName),
    TableName: request.TableName,
    KeySchema: request.KeySchema,
    TableStatus: 'ACTIVE',
    CreationDateTime: created,
    ...describeThroughput(request),
    TableSizeBytes: 0,
    ItemCount: 0,
    TableId: id,
    ...(request.BillingMode === 'PAY_PER_REQUEST'
      ? { BillingModeSummary: { BillingMode: 'PAY_PER_REQUEST', LastUpdateToPayPerRequestDateTime: created } }
      : {}),
    ...describeIndexes(request),
    ...describeSettings(engine, request),
  }
}

function describeIndexes(request: CreateTableInput): TableDescription {
  const { LocalSecondaryIndexes, GlobalSecondaryIndexes, VectorIndexes } = request
  return {
    ...(LocalSecondaryIndexes && { LocalSecondaryIndexes: LocalSecondaryIndexes.map(describeLocalIndex) }),
    ...(GlobalSecondaryIndexes && { GlobalSecondaryIndexes: GlobalSecondaryIndexes.map(describeGlobalIndex) }),
    ...(VectorIndexes && { VectorIndexes: VectorIndexes.map(describeVectorIndex) }),
  }
}

function describeSettings(engine: Engine, request: CreateTableInput): TableDescription {
  const { SSESpecification: encryption, TableClass, GlobalTableSettingsReplicationMode } = request
  return {
    ...(encryption && isKmsEncryption(encryption) && { SSEDescription: describeEncryption(engine, encryption) }),
    ...(TableClass && { TableClassSummary: { TableClass } }),
    DeletionProtectionEnabled: request.DeletionProtectionEnabled ?? false,
    ...(GlobalTableSettingsReplicationMode && { GlobalTableSettingsReplicationMode }),
  }
}

/** Returns whether a KMS key is requested. Otherwise the service's own key encrypts the table and is not described. */
export function isKmsEncryption({ Enabled, SSEType }: SSESpecification): boolean {
  return Enabled ?? SSEType === 'KMS'
}

export function describeEncryption(engine: Engine, { KMSMasterKeyId }: SSESpecification): SSEDescription {
  return { Status: 'ENABLED', SSEType: 'KMS', KMSMasterKeyArn: kmsKeyArn(engine, KMSMasterKeyId) }
}

/** Returns the current description of a table as a copy. */
export function toTableDescription(
  engine: Engine,
  table: Table,
  pendingUpdates: readonly PendingUpdate[] = table.underWay,
): TableDescription {
  const description = structuredClone(table.transition?.shown ?? table.description)
  applyDescriptionPatches(description, pendingUpdates)
  const arn = tableArn(engine, table.name)
  description.TableArn = arn
  if (description.LatestStreamLabel !== undefined)
    description.LatestStreamArn = `${arn}/stream/${description.LatestStreamLabel}`
  for (const described of indexesOf(description)) described.IndexArn = `${arn}/index/${described.IndexName}`
  // A table that is being restored shows no counts yet.
  if (!description.RestoreSummary) describeCounts(description, table)
  resetDecreases(description, engine.now())
  return description
}

function describeCounts(description: TableDescription, table: Table): void {
  description.ItemCount = table.itemCount
  description.TableSizeBytes = table.sizeBytes
  const indexes = [...table.indexes, ...table.vectorIndexes]
  for (const described of indexesOf(description)) {
    // An index shows its counts only after its creation.
    const isCreating = 'IndexStatus' in described && described.IndexStatus === 'CREATING'
    const index = isCreating ? undefined : indexes.find(({ name }) => name === described.IndexName)
    described.ItemCount = index?.itemCount ?? 0
    described.IndexSizeBytes = index?.sizeBytes ?? 0
  }
}

function indexesOf(description: TableDescription) {
  const { LocalSecondaryIndexes = [], GlobalSecondaryIndexes = [], VectorIndexes = [] } = description
  return [...LocalSecondaryIndexes, ...GlobalSecondaryIndexes, ...VectorIndexes]
}

/** Resets the number of decreases at the beginning of a day. */
function resetDecreases(description: TableDescription, nowMs: number): void {
  for (const { ProvisionedThroughput: throughput } of [description, ...(description.GlobalSecondaryIndexes ?? [])]) {
    const last = throughput?.LastDecreaseDateTime
    if (last && !isSameDay(last.getTime(), nowMs)) throughput.NumberOfDecreasesToday = 0
  }
}

export function compareByAttributeName(a: AttributeDefinition, b: AttributeDefinition): number {
  return a.AttributeName! < b.AttributeName! ? -1 : 1
}
