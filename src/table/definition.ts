import type {
  AttributeDefinition,
  GlobalSecondaryIndex,
  KeySchemaElement,
  LocalSecondaryIndex,
  Projection,
} from '../dynamodb/operations/indexes.js'
import type { StreamSpecification, StreamViewType } from '../dynamodb/operations/table-description.js'
import type { CreateTableRequest } from '../dynamodb/operations/tables.js'
import type { ProvisionedThroughput } from '../dynamodb/operations/throughput.js'
import type { UpdateTimeToLiveRequest } from '../dynamodb/operations/time-to-live.js'
import type { Capacity, IndexDesign, StreamView, TableDesign } from '../layout/design.js'
import { checkName } from '../schema/names.js'

export const STREAM_VIEWS: Readonly<Record<Exclude<StreamView, 'none'>, StreamViewType>> = {
  keys: 'KEYS_ONLY',
  new: 'NEW_IMAGE',
  old: 'OLD_IMAGE',
  both: 'NEW_AND_OLD_IMAGES',
}

/** As the service has it, which would refuse another in words of its own; or an ARN. */
const TABLE = /^(arn:.+|[\w.-]{3,255})$/

export const checkTableName = (name: string): string =>
  checkName(name, 'a table', TABLE, null, "give 'table' 3 or more letters, digits, _ and -")

/** The table of a layout as the port creates it. A TTL is no part of this request: see timeToLiveRequest. */
export function createTableRequest(
  design: TableDesign,
  options: { readonly table?: string | undefined } = {},
): CreateTableRequest {
  const local = localIndexes(design).map(localIndex)
  const global = globalIndexes(design).map(index => globalIndex(design, index))
  return {
    TableName: options.table ?? design.name,
    AttributeDefinitions: Object.entries(design.attributes).map(([AttributeName, AttributeType]) => ({
      AttributeName,
      AttributeType,
    })),
    KeySchema: tableKeySchema(design),
    ...(local[0] && { LocalSecondaryIndexes: local }),
    ...(global[0] && { GlobalSecondaryIndexes: global }),
    ...(design.capacity === 'on-demand'
      ? { BillingMode: 'PAY_PER_REQUEST' }
      : { BillingMode: 'PROVISIONED', ProvisionedThroughput: throughput(design.capacity) }),
    ...(design.stream !== 'none' && { StreamSpecification: streamSpecification(design.stream) }),
  }
}

/** What turns on the TTL of a layout, once the table is active; undefined where nothing expires. */
export function timeToLiveRequest(
  design: TableDesign,
  options: { readonly table?: string | undefined } = {},
): UpdateTimeToLiveRequest | undefined {
  if (design.expires === undefined) return undefined
  return {
    TableName: options.table ?? design.name,
    TimeToLiveSpecification: { Enabled: true, AttributeName: design.expires },
  }
}

export function globalIndexes(design: TableDesign): IndexDesign[] {
  return design.indexes.filter(index => index.kind === 'global')
}

export function localIndexes(design: TableDesign): IndexDesign[] {
  return design.indexes.filter(index => index.kind === 'local')
}

export function tableKeySchema({ keys: { partition, sort } }: TableDesign): KeySchemaElement[] {
  return indexKeySchema({ partition: [partition], sort: sort ? [sort] : [] })
}

export function indexKeySchema({ partition, sort }: Pick<IndexDesign, 'partition' | 'sort'>): KeySchemaElement[] {
  return [...partition, ...sort].map((AttributeName, at) => ({
    AttributeName,
    KeyType: at < partition.length ? 'HASH' : 'RANGE',
  }))
}

export function attributeDefinition(design: TableDesign, name: string): AttributeDefinition {
  return { AttributeName: name, AttributeType: design.attributes[name] }
}

export function globalIndex(design: TableDesign, index: IndexDesign): GlobalSecondaryIndex {
  const capacity = indexCapacity(design, index)
  return { ...localIndex(index), ...(capacity && { ProvisionedThroughput: throughput(capacity) }) }
}

function localIndex(index: IndexDesign): LocalSecondaryIndex {
  return { IndexName: index.name, KeySchema: indexKeySchema(index), Projection: projection(index) }
}

export function projection({ project }: IndexDesign): Projection {
  if (project === 'all') return { ProjectionType: 'ALL' }
  // DynamoDB refuses INCLUDE with no names.
  if (project === 'keys' || project.length === 0) return { ProjectionType: 'KEYS_ONLY' }
  return { ProjectionType: 'INCLUDE', NonKeyAttributes: [...project] }
}

/**
 * The capacity of a global index: the table's where none is given, since an index with less throttles the writes to the
 * table. Undefined on demand.
 */
export function indexCapacity(design: TableDesign, index: IndexDesign): Capacity | undefined {
  return design.capacity === 'on-demand' ? undefined : (index.capacity ?? design.capacity)
}

export function throughput({ read, write }: Capacity): ProvisionedThroughput {
  return { ReadCapacityUnits: read, WriteCapacityUnits: write }
}

export function streamSpecification(stream: Exclude<StreamView, 'none'>): StreamSpecification {
  return { StreamEnabled: true, StreamViewType: STREAM_VIEWS[stream] }
}
