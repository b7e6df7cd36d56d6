import type { KeyAttributeType } from '../../dynamodb/attribute-value.js'
import type { GlobalSecondaryIndex, KeySchemaElement, LocalSecondaryIndex } from '../../dynamodb/operations/indexes.js'
import type { CreateTableRequest } from '../../dynamodb/operations/tables.js'
import type { Engine } from '../engine.js'
import type { KeySchema } from '../keys/schema.js'
import { describeNewTable } from './describe.js'
import type { Index, Projection, Table } from './table.js'

type Types = ReadonlyMap<string, KeyAttributeType>

/** A new and empty table. Its spaces are named by an identifier of its own, so no earlier table of its name shines through. */
export function buildTable(engine: Engine, request: CreateTableRequest): Table {
  const id = crypto.randomUUID()
  const types: Types = new Map(
    request.AttributeDefinitions?.map(({ AttributeName, AttributeType }) => [AttributeName!, AttributeType!]),
  )
  const keys = buildKeys(request.KeySchema ?? [], types)
  const build = (kind: Index['kind']) => (index: LocalSecondaryIndex | GlobalSecondaryIndex) =>
    buildIndex(engine, index, { kind, types, tableKeys: keys, tableId: id })
  return {
    name: request.TableName,
    keys,
    indexes: [
      ...(request.LocalSecondaryIndexes ?? []).map(build('local')),
      ...(request.GlobalSecondaryIndexes ?? []).map(build('global')),
    ],
    space: engine.keyValues.space(id),
    description: describeNewTable(engine, request, id),
    itemCount: 0,
    sizeBytes: 0,
    timeToLive: undefined,
    ...(request.Tags && { tags: request.Tags }),
    ...(request.ResourcePolicy !== undefined && { resourcePolicy: request.ResourcePolicy }),
  }
}

interface IndexPlace {
  readonly kind: Index['kind']
  readonly types: Types
  readonly tableKeys: KeySchema
  readonly tableId: string
}

function buildIndex(
  engine: Engine,
  index: LocalSecondaryIndex,
  { kind, types, tableKeys, tableId }: IndexPlace,
): Index {
  const keys = buildKeys(index.KeySchema, types)
  const { ProjectionType, NonKeyAttributes } = index.Projection
  const projection: Projection = ProjectionType === 'ALL' ? 'ALL' : (NonKeyAttributes ?? [])
  return {
    name: index.IndexName,
    kind,
    keys,
    projection,
    projected: projection === 'ALL' ? undefined : new Set([...namesOf(keys), ...namesOf(tableKeys), ...projection]),
    space: engine.keyValues.space(indexSpaceName(tableId, index.IndexName)),
    itemCount: 0,
    sizeBytes: 0,
  }
}

function buildKeys(schema: readonly KeySchemaElement[], types: Types): KeySchema {
  const part = (keyType: 'HASH' | 'RANGE') =>
    schema
      .filter(element => element.KeyType === keyType)
      .map(({ AttributeName }) => ({ name: AttributeName!, type: types.get(AttributeName!)! }))
  return { partition: part('HASH'), sort: part('RANGE') }
}

function namesOf({ partition, sort }: KeySchema): string[] {
  return [...partition, ...sort].map(attribute => attribute.name)
}

function indexSpaceName(tableId: string, indexName: string): string {
  return `${tableId}/${indexName}`
}

/** Forgets all that a table and its indexes hold. */
export function dropSpaces(engine: Engine, table: Table): void {
  const id = table.description.TableId!
  engine.keyValues.drop(id)
  for (const index of table.indexes) engine.keyValues.drop(indexSpaceName(id, index.name))
}
