import type {
  BillingMode,
  CreateTableInput,
  GlobalSecondaryIndex,
  GlobalSecondaryIndexInfo,
  LocalSecondaryIndex,
  RestoreOverrides,
  SSEDescription,
  SSESpecification,
  VectorIndex,
} from '../../dynamodb/operation-types.js'
import type { BackupSource } from './backup.js'
import { sourceBillingModeOf, sourceFeaturesOf } from './backup-description.js'

/**
 * Returns the definition of the source table with the overrides applied. A restore does not copy streams, time to live,
 * tags, policies, the table class or deletion protection.
 */
export function toRestoredDefinition(
  name: string,
  source: BackupSource,
  overrides: RestoreOverrides,
): CreateTableInput {
  const { description } = source
  const BillingMode = overrides.BillingModeOverride ?? sourceBillingModeOf(source)
  return withoutUnusedDefinitions({
    TableName: name,
    AttributeDefinitions: description.AttributeDefinitions,
    KeySchema: description.KeySchema,
    BillingMode,
    ...capacityOf(source, overrides, BillingMode),
    ...indexesOf(source, overrides, BillingMode),
    ...encryptionOf(description.SSEDescription, overrides.SSESpecificationOverride),
  })
}

function capacityOf({ description }: BackupSource, overrides: RestoreOverrides, billing: BillingMode) {
  const { ReadCapacityUnits = 0, WriteCapacityUnits = 0 } = description.ProvisionedThroughput ?? {}
  if (billing === 'PROVISIONED')
    return {
      ProvisionedThroughput: overrides.ProvisionedThroughputOverride ?? { ReadCapacityUnits, WriteCapacityUnits },
    }
  const OnDemandThroughput = overrides.OnDemandThroughputOverride ?? description.OnDemandThroughput
  return OnDemandThroughput ? { OnDemandThroughput } : {}
}

/** An empty list of overrides restores no index. A missing list restores all indexes. */
function indexesOf(source: BackupSource, overrides: RestoreOverrides, billing: BillingMode): Partial<CreateTableInput> {
  const { LocalSecondaryIndexes = [], GlobalSecondaryIndexes = [], VectorIndexes = [] } = sourceFeaturesOf(source)
  const local = overrides.LocalSecondaryIndexOverride ?? (LocalSecondaryIndexes as LocalSecondaryIndex[])
  const global =
    overrides.GlobalSecondaryIndexOverride ?? GlobalSecondaryIndexes.map(index => withBillingMode(index, billing))
  const vectors = overrides.VectorIndexOverride ?? (VectorIndexes as VectorIndex[])
  return {
    ...(local.length > 0 && { LocalSecondaryIndexes: local }),
    ...(global.length > 0 && { GlobalSecondaryIndexes: global }),
    ...(vectors.length > 0 && { VectorIndexes: vectors }),
  }
}

function withBillingMode(index: GlobalSecondaryIndexInfo, billing: BillingMode): GlobalSecondaryIndex {
  const { ProvisionedThroughput, OnDemandThroughput, ...rest } = index as GlobalSecondaryIndex
  if (billing === 'PROVISIONED') return { ...rest, ProvisionedThroughput }
  return OnDemandThroughput ? { ...rest, OnDemandThroughput } : rest
}

function encryptionOf(described: SSEDescription | undefined, override: SSESpecification | undefined) {
  if (override) return { SSESpecification: override }
  if (!described) return {}
  return { SSESpecification: { Enabled: true, SSEType: 'KMS' as const, KMSMasterKeyId: described.KMSMasterKeyArn } }
}

/** A definition may only list key attributes, and a restored table may have fewer indexes than its source. */
function withoutUnusedDefinitions(request: CreateTableInput): CreateTableInput {
  const { LocalSecondaryIndexes = [], GlobalSecondaryIndexes = [], VectorIndexes = [], KeySchema = [] } = request
  const keys = [KeySchema, ...[...LocalSecondaryIndexes, ...GlobalSecondaryIndexes].map(index => index.KeySchema)]
  const used = new Set(keys.flat().map(({ AttributeName }) => AttributeName))
  for (const { SearchSchema = [] } of VectorIndexes)
    for (const { AttributeName } of SearchSchema) used.add(AttributeName)
  return {
    ...request,
    AttributeDefinitions: request.AttributeDefinitions?.filter(({ AttributeName }) => used.has(AttributeName)),
  }
}
