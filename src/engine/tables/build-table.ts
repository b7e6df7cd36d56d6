import type { KeyAttributeType } from '../../dynamodb/attribute-value.js'
import type {
  AttributeDefinition,
  CreateTableInput,
  GlobalSecondaryIndex,
  KeySchemaElement,
  LocalSecondaryIndex,
  VectorIndex as VectorIndexDefinition,
} from '../../dynamodb/operation-types.js'
import { stopRecovery } from '../backups/recovery-log.js'
import type { Engine } from '../engine.js'
import { dropIndexLag, newIndexLag, resumeIndexLag } from '../indexes/index-lag.js'
import type { KeySchema } from '../keys/key-schema.js'
import { newPolicy } from '../policies/policy.js'
import { buildVectorIndex } from '../vectors/build-vector-index.js'
import type { TableVectorIndex } from '../vectors/vector-index.js'
import { describeNewTable } from './description/table-description.js'
import { stopExpiry } from './item-expiry.js'
import type { IndexProjection, Table, TableIndex } from './table.js'
import { NO_CHANGES } from './update/change-limits.validation.js'

type AttributeTypes = ReadonlyMap<string, KeyAttributeType>

/**
 * Creates an empty table. Its spaces have a new ID, so that no data of an earlier table with the same name is visible.
 */
export function buildTable(engine: Engine, request: CreateTableInput): Table {
  return buildTableWith(engine, request, false)
}

/** Creates a table for existing items, which may have invalid values for index keys. */
export function buildRestoredTable(engine: Engine, request: CreateTableInput): Table {
  return buildTableWith(engine, request, true)
}

function buildTableWith(engine: Engine, request: CreateTableInput, addedLater: boolean): Table {
  const id = crypto.randomUUID()
  const types = attributeTypesOf(request.AttributeDefinitions)
  const keys = buildKeySchema(request.KeySchema ?? [], types)
  const build = (kind: TableIndex['kind']) => (index: LocalSecondaryIndex | GlobalSecondaryIndex) =>
    buildIndex(engine, index, { kind, types, tableKeys: keys, tableId: id, addedLater, lagOf: newIndexLag })
  return {
    name: request.TableName,
    keys,
    indexes: [
      ...(request.LocalSecondaryIndexes ?? []).map(build('local')),
      ...(request.GlobalSecondaryIndexes ?? []).map(build('global')),
    ],
    vectorIndexes: (request.VectorIndexes ?? []).map(index =>
      buildVectorIndexAt(engine, index, {
        types,
        tableKeys: keys,
        tableId: id,
        lagOf: newIndexLag,
        isFilled: !addedLater,
      }),
    ),
    space: engine.keyValues.space(id),
    description: describeNewTable(engine, request, id),
    itemCount: 0,
    sizeBytes: 0,
    expiry: undefined,
    stream: undefined,
    transition: undefined,
    underWay: [],
    changeTimes: NO_CHANGES,
    tags: request.Tags ?? [],
    pointInTimeRecovery: undefined,
    policy: newPolicy(request.ResourcePolicy, engine.now()),
    insights: [],
    recovery: undefined,
  }
}

/** The stored definition of a table, without its items. */
export interface TableDefinition
  extends Pick<
    Table,
    | 'name'
    | 'description'
    | 'transition'
    | 'underWay'
    | 'changeTimes'
    | 'tags'
    | 'pointInTimeRecovery'
    | 'policy'
    | 'insights'
  > {
  /** The names of indexes that were added later. */
  readonly added: readonly string[]
}

/** Restores a table without its stream, time to live and recovery log. */
export function rebuildTable(engine: Engine, { added, ...definition }: TableDefinition): Table {
  const { AttributeDefinitions, KeySchema, TableId, LocalSecondaryIndexes, GlobalSecondaryIndexes, VectorIndexes } =
    definition.description
  const types = attributeTypesOf(AttributeDefinitions)
  const keys = buildKeySchema(KeySchema!, types)
  const build = (kind: TableIndex['kind']) => (index: { IndexName?: string | undefined }) => {
    const addedLater = added.includes(index.IndexName!)
    const place = { kind, types, tableKeys: keys, tableId: TableId!, addedLater, lagOf: resumeIndexLag }
    return buildIndex(engine, index as LocalSecondaryIndex, place)
  }
  return {
    ...definition,
    // Folders of older versions do not have these members.
    underWay: definition.underWay ?? [],
    changeTimes: definition.changeTimes ?? NO_CHANGES,
    insights: definition.insights ?? [],
    keys,
    indexes: [
      ...(LocalSecondaryIndexes ?? []).map(build('local')),
      ...(GlobalSecondaryIndexes ?? []).map(build('global')),
    ],
    // Counts are restored later and set whether the index is filled. A description has all members of a definition.
    vectorIndexes: ((VectorIndexes ?? []) as VectorIndexDefinition[]).map(index =>
      buildVectorIndexAt(engine, index, {
        types,
        tableKeys: keys,
        tableId: TableId!,
        lagOf: resumeIndexLag,
        isFilled: false,
      }),
    ),
    space: engine.keyValues.space(TableId!),
    itemCount: 0,
    sizeBytes: 0,
    expiry: undefined,
    stream: undefined,
    recovery: undefined,
  }
}

/** Creates an empty global index that is added to a table. */
export function buildGlobalIndex(engine: Engine, table: Table, index: GlobalSecondaryIndex): TableIndex {
  const { AttributeDefinitions, TableId } = table.description
  const place = { types: attributeTypesOf(AttributeDefinitions), tableKeys: table.keys, tableId: TableId! }
  return buildIndex(engine, index, { kind: 'global', addedLater: true, lagOf: newIndexLag, ...place })
}

/** Creates an empty vector index that is added to a table. */
export function buildAddedVectorIndex(engine: Engine, table: Table, index: VectorIndexDefinition): TableVectorIndex {
  const { AttributeDefinitions, TableId } = table.description
  const place = { types: attributeTypesOf(AttributeDefinitions), tableKeys: table.keys, tableId: TableId! }
  return buildVectorIndexAt(engine, index, { lagOf: newIndexLag, isFilled: false, ...place })
}

type VectorPlace = Omit<Parameters<typeof buildVectorIndex>[2], 'spaceName'>

function buildVectorIndexAt(engine: Engine, index: VectorIndexDefinition, place: VectorPlace): TableVectorIndex {
  return buildVectorIndex(engine, index, { ...place, spaceName: indexSpaceNameOf(place.tableId, index.IndexName) })
}

function attributeTypesOf(definitions: readonly AttributeDefinition[] = []): AttributeTypes {
  return new Map(definitions.map(({ AttributeName, AttributeType }) => [AttributeName!, AttributeType!]))
}

interface IndexPlace {
  readonly kind: TableIndex['kind']
  readonly types: AttributeTypes
  readonly tableKeys: KeySchema
  readonly tableId: string
  readonly addedLater: boolean
  readonly lagOf: typeof newIndexLag
}

function buildIndex(
  engine: Engine,
  index: LocalSecondaryIndex,
  { kind, types, tableKeys, tableId, addedLater, lagOf }: IndexPlace,
): TableIndex {
  const keys = buildKeySchema(index.KeySchema, types)
  const { ProjectionType, NonKeyAttributes } = index.Projection
  const projection: IndexProjection = ProjectionType === 'ALL' ? 'ALL' : (NonKeyAttributes ?? [])
  return {
    name: index.IndexName,
    kind,
    keys,
    projection,
    projected:
      projection === 'ALL' ? undefined : new Set([...keyNamesOf(keys), ...keyNamesOf(tableKeys), ...projection]),
    space: engine.keyValues.space(indexSpaceNameOf(tableId, index.IndexName)),
    addedLater,
    lag: kind === 'global' ? lagOf(engine, { tableId, tableKeys, indexName: index.IndexName }) : undefined,
    itemCount: 0,
    sizeBytes: 0,
  }
}

function buildKeySchema(schema: readonly KeySchemaElement[], types: AttributeTypes): KeySchema {
  const part = (keyType: 'HASH' | 'RANGE') =>
    schema
      .filter(element => element.KeyType === keyType)
      .map(({ AttributeName }) => ({ name: AttributeName!, type: types.get(AttributeName!)! }))
  return { partition: part('HASH'), sort: part('RANGE') }
}

function keyNamesOf({ partition, sort }: KeySchema): string[] {
  return [...partition, ...sort].map(attribute => attribute.name)
}

function indexSpaceNameOf(tableId: string, indexName: string): string {
  return `${tableId}/${indexName}`
}

/** Drops all data of a table and its indexes except its stream. */
export function dropTableSpaces(engine: Engine, table: Table): void {
  engine.keyValues.drop(table.description.TableId!)
  for (const index of [...table.indexes, ...table.vectorIndexes]) dropIndex(engine, table, index)
  if (table.expiry) stopExpiry(engine, table)
  stopRecovery(engine, table)
}

export function dropIndex(engine: Engine, table: Table, index: TableIndex | TableVectorIndex): void {
  engine.keyValues.drop(indexSpaceNameOf(table.description.TableId!, index.name))
  if (index.lag) dropIndexLag(engine, table.description.TableId!, index.name)
}
