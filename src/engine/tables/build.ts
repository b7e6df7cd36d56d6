import type { KeyAttributeType } from '../../dynamodb/attribute-value.js'
import type {
  AttributeDefinition,
  GlobalSecondaryIndex,
  KeySchemaElement,
  LocalSecondaryIndex,
  VectorIndex as VectorIndexDefinition,
} from '../../dynamodb/operations/indexes.js'
import type { CreateTableRequest } from '../../dynamodb/operations/tables.js'
import { stopRecovery } from '../backups/recovery.js'
import type { Engine } from '../engine.js'
import { dropLag, newLag, resumeLag } from '../indexes/lag.js'
import type { KeySchema } from '../keys/schema.js'
import { newPolicy } from '../policies/policy.js'
import { buildVectorIndex } from '../vectors/build.js'
import type { VectorIndex } from '../vectors/vector-index.js'
import { describeNewTable } from './describe.js'
import { stopExpiry } from './expiry.js'
import type { Index, Projection, Table } from './table.js'
import { NO_CHANGES } from './update/change-limits.validation.js'

type Types = ReadonlyMap<string, KeyAttributeType>

/** A new and empty table. Its spaces are named by an identifier of its own, so no earlier table of its name shines through. */
export function buildTable(engine: Engine, request: CreateTableRequest): Table {
  return buildEmpty(engine, request, false)
}

/** The same for items that are there already, which may have what no key of an index can be. */
export function buildRestoredTable(engine: Engine, request: CreateTableRequest): Table {
  return buildEmpty(engine, request, true)
}

function buildEmpty(engine: Engine, request: CreateTableRequest, addedLater: boolean): Table {
  const id = crypto.randomUUID()
  const types = typesOf(request.AttributeDefinitions)
  const keys = buildKeys(request.KeySchema ?? [], types)
  const build = (kind: Index['kind']) => (index: LocalSecondaryIndex | GlobalSecondaryIndex) =>
    buildIndex(engine, index, { kind, types, tableKeys: keys, tableId: id, addedLater, lagOf: newLag })
  return {
    name: request.TableName,
    keys,
    indexes: [
      ...(request.LocalSecondaryIndexes ?? []).map(build('local')),
      ...(request.GlobalSecondaryIndexes ?? []).map(build('global')),
    ],
    vectorIndexes: (request.VectorIndexes ?? []).map(index =>
      buildVectors(engine, index, { types, tableKeys: keys, tableId: id, lagOf: newLag, isFilled: !addedLater }),
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

/** What is kept of a table, beside what it holds. */
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
  /** The indexes that were added later. */
  readonly added: readonly string[]
}

/** A table as it was, but for its stream, its time to live and its recovery. */
export function rebuildTable(engine: Engine, { added, ...definition }: TableDefinition): Table {
  const { AttributeDefinitions, KeySchema, TableId, LocalSecondaryIndexes, GlobalSecondaryIndexes, VectorIndexes } =
    definition.description
  const types = typesOf(AttributeDefinitions)
  const keys = buildKeys(KeySchema!, types)
  const build = (kind: Index['kind']) => (index: { IndexName?: string | undefined }) => {
    const addedLater = added.includes(index.IndexName!)
    const place = { kind, types, tableKeys: keys, tableId: TableId!, addedLater, lagOf: resumeLag }
    return buildIndex(engine, index as LocalSecondaryIndex, place)
  }
  return {
    ...definition,
    // A folder from before these were kept has none.
    underWay: definition.underWay ?? [],
    changeTimes: definition.changeTimes ?? NO_CHANGES,
    insights: definition.insights ?? [],
    keys,
    indexes: [
      ...(LocalSecondaryIndexes ?? []).map(build('local')),
      ...(GlobalSecondaryIndexes ?? []).map(build('global')),
    ],
    // Whether they are filled is told with what they hold. A description says all that a definition does.
    vectorIndexes: ((VectorIndexes ?? []) as VectorIndexDefinition[]).map(index =>
      buildVectors(engine, index, { types, tableKeys: keys, tableId: TableId!, lagOf: resumeLag, isFilled: false }),
    ),
    space: engine.keyValues.space(TableId!),
    itemCount: 0,
    sizeBytes: 0,
    expiry: undefined,
    stream: undefined,
    recovery: undefined,
  }
}

/** A global index that is added to a table, empty. */
export function buildGlobalIndex(engine: Engine, table: Table, index: GlobalSecondaryIndex): Index {
  const { AttributeDefinitions, TableId } = table.description
  const place = { types: typesOf(AttributeDefinitions), tableKeys: table.keys, tableId: TableId! }
  return buildIndex(engine, index, { kind: 'global', addedLater: true, lagOf: newLag, ...place })
}

/** The same of vectors. */
export function buildAddedVectorIndex(engine: Engine, table: Table, index: VectorIndexDefinition): VectorIndex {
  const { AttributeDefinitions, TableId } = table.description
  const place = { types: typesOf(AttributeDefinitions), tableKeys: table.keys, tableId: TableId! }
  return buildVectors(engine, index, { lagOf: newLag, isFilled: false, ...place })
}

type VectorPlace = Omit<Parameters<typeof buildVectorIndex>[2], 'spaceName'>

function buildVectors(engine: Engine, index: VectorIndexDefinition, place: VectorPlace): VectorIndex {
  return buildVectorIndex(engine, index, { ...place, spaceName: indexSpaceName(place.tableId, index.IndexName) })
}

function typesOf(definitions: readonly AttributeDefinition[] = []): Types {
  return new Map(definitions.map(({ AttributeName, AttributeType }) => [AttributeName!, AttributeType!]))
}

interface IndexPlace {
  readonly kind: Index['kind']
  readonly types: Types
  readonly tableKeys: KeySchema
  readonly tableId: string
  readonly addedLater: boolean
  readonly lagOf: typeof newLag
}

function buildIndex(
  engine: Engine,
  index: LocalSecondaryIndex,
  { kind, types, tableKeys, tableId, addedLater, lagOf }: IndexPlace,
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
    addedLater,
    lag: kind === 'global' ? lagOf(engine, { tableId, tableKeys, indexName: index.IndexName }) : undefined,
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

/** Forgets all that a table and its indexes hold, but for its stream. */
export function dropSpaces(engine: Engine, table: Table): void {
  engine.keyValues.drop(table.description.TableId!)
  for (const index of [...table.indexes, ...table.vectorIndexes]) dropIndex(engine, table, index)
  if (table.expiry) stopExpiry(engine, table)
  stopRecovery(engine, table)
}

export function dropIndex(engine: Engine, table: Table, index: Index | VectorIndex): void {
  engine.keyValues.drop(indexSpaceName(table.description.TableId!, index.name))
  if (index.lag) dropLag(engine, table.description.TableId!, index.name)
}
