import type {
  AttributeDefinition,
  CreateTableInput,
  GlobalSecondaryIndex,
  KeySchemaElement,
  LocalSecondaryIndex,
  Projection,
  ProvisionedThroughput,
  StreamSpecification,
  StreamViewType,
  UpdateTimeToLiveInput,
} from '../dynamodb/operation-types.js'
import type { IndexDesign, ProvisionedCapacity, StreamView, TableDesign } from '../layout/design.js'
import { checkIdentifier } from '../schema/checks/names.js'

export const STREAM_VIEWS: Readonly<Record<Exclude<StreamView, 'none'>, StreamViewType>> = {
  keys: 'KEYS_ONLY',
  new: 'NEW_IMAGE',
  old: 'OLD_IMAGE',
  both: 'NEW_AND_OLD_IMAGES',
}

/** A valid table name or an ARN. Checking it here gives a clearer error than the service would. */
const TABLE_NAME_OR_ARN = /^(arn:.+|[\w.-]{3,255})$/

export const checkTableName = (name: string): string =>
  checkIdentifier(name, 'table', TABLE_NAME_OR_ARN, null, "give 'table' 3 or more letters, digits, _ and -")

/** Returns the input of CreateTable for a design. The TTL is a separate request: see timeToLiveInput. */
export function toCreateTableInput(
  design: TableDesign,
  options: { readonly table?: string | undefined } = {},
): CreateTableInput {
  const localDefinitions = localIndexesOf(design).map(toLocalIndex)
  const globalDefinitions = globalIndexesOf(design).map(index => toGlobalIndex(design, index))
  return {
    TableName: options.table ?? design.name,
    AttributeDefinitions: Object.entries(design.attributes).map(([AttributeName, AttributeType]) => ({
      AttributeName,
      AttributeType,
    })),
    KeySchema: tableKeySchemaOf(design),
    ...(localDefinitions.length > 0 && { LocalSecondaryIndexes: localDefinitions }),
    ...(globalDefinitions.length > 0 && { GlobalSecondaryIndexes: globalDefinitions }),
    ...(design.capacity === 'on-demand'
      ? { BillingMode: 'PAY_PER_REQUEST' }
      : { BillingMode: 'PROVISIONED', ProvisionedThroughput: toThroughput(design.capacity) }),
    ...(design.stream !== 'none' && { StreamSpecification: toStreamSpecification(design.stream) }),
  }
}

/** Returns the input of UpdateTimeToLive for a design; undefined if it has no expiry attribute. */
export function toTimeToLiveInput(
  design: TableDesign,
  options: { readonly table?: string | undefined } = {},
): UpdateTimeToLiveInput | undefined {
  if (design.expires === undefined) return undefined
  return {
    TableName: options.table ?? design.name,
    TimeToLiveSpecification: { Enabled: true, AttributeName: design.expires },
  }
}

export function globalIndexesOf(design: TableDesign): IndexDesign[] {
  return design.indexes.filter(index => index.kind === 'global')
}

export function localIndexesOf(design: TableDesign): IndexDesign[] {
  return design.indexes.filter(index => index.kind === 'local')
}

export function tableKeySchemaOf({ keys: { partition, sort } }: TableDesign): KeySchemaElement[] {
  return indexKeySchemaOf({ partition: [partition], sort: sort ? [sort] : [] })
}

export function indexKeySchemaOf({ partition, sort }: Pick<IndexDesign, 'partition' | 'sort'>): KeySchemaElement[] {
  return [...partition, ...sort].map((AttributeName, at) => ({
    AttributeName,
    KeyType: at < partition.length ? 'HASH' : 'RANGE',
  }))
}

export function toAttributeDefinition(design: TableDesign, name: string): AttributeDefinition {
  return { AttributeName: name, AttributeType: design.attributes[name] }
}

export function toGlobalIndex(design: TableDesign, index: IndexDesign): GlobalSecondaryIndex {
  const capacity = indexCapacityOf(design, index)
  return { ...toLocalIndex(index), ...(capacity && { ProvisionedThroughput: toThroughput(capacity) }) }
}

function toLocalIndex(index: IndexDesign): LocalSecondaryIndex {
  return { IndexName: index.name, KeySchema: indexKeySchemaOf(index), Projection: toProjection(index) }
}

export function toProjection({ project }: IndexDesign): Projection {
  if (project === 'all') return { ProjectionType: 'ALL' }
  // DynamoDB rejects INCLUDE without names.
  if (project === 'keys' || project.length === 0) return { ProjectionType: 'KEYS_ONLY' }
  return { ProjectionType: 'INCLUDE', NonKeyAttributes: [...project] }
}

/**
 * Returns the capacity of a global index: by default that of the table, because an index with less capacity throttles
 * writes to the table. Undefined for an on-demand table.
 */
export function indexCapacityOf(design: TableDesign, index: IndexDesign): ProvisionedCapacity | undefined {
  return design.capacity === 'on-demand' ? undefined : (index.capacity ?? design.capacity)
}

export function toThroughput({ read, write }: ProvisionedCapacity): ProvisionedThroughput {
  return { ReadCapacityUnits: read, WriteCapacityUnits: write }
}

export function toStreamSpecification(stream: Exclude<StreamView, 'none'>): StreamSpecification {
  return { StreamEnabled: true, StreamViewType: STREAM_VIEWS[stream] }
}
