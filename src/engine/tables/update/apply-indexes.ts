import type {
  AttributeDefinition,
  GlobalSecondaryIndex,
  TableDescription,
  UpdateTableInput,
  VectorIndex,
} from '../../../dynamodb/operation-types.js'
import type { Engine } from '../../engine.js'
import { fillIndex } from '../../indexes/maintain-indexes.js'
import { fillVectorIndexes, measureTableSize } from '../../vectors/maintain-vector-indexes.js'
import { buildAddedVectorIndex, buildGlobalIndex, dropIndex } from '../build-table.js'
import { describeGlobalIndex, describeVectorIndex } from '../description/index-descriptions.js'
import { compareByAttributeName } from '../description/table-description.js'
import type { Table } from '../table.js'
import { applyIndexCapacity } from './apply-throughput.js'

export function applyIndexUpdates(engine: Engine, table: Table, request: UpdateTableInput): void {
  const { description } = table
  for (const { Create, Update, Delete } of request.GlobalSecondaryIndexUpdates ?? []) {
    if (Create) addIndex(engine, table, Create, request.AttributeDefinitions ?? [])
    if (Delete) removeIndex(engine, table, Delete.IndexName)
    const updated = Update && description.GlobalSecondaryIndexes?.find(index => index.IndexName === Update.IndexName)
    if (updated) applyIndexCapacity(updated, Update, new Date(engine.now()))
  }
  for (const { Create, Delete } of request.VectorIndexUpdates ?? []) {
    if (Create) addVectorIndex(engine, table, Create, request.AttributeDefinitions ?? [])
    if (Delete) removeVectorIndex(engine, table, Delete.IndexName)
  }
  removeUnusedDefinitions(description)
}

/** Adds a global index and fills it with the existing items. Items with other types of key attributes are left out. */
function addIndex(
  engine: Engine,
  table: Table,
  index: GlobalSecondaryIndex,
  definitions: readonly AttributeDefinition[],
): void {
  const { description } = table
  addDefinitions(description, definitions)
  description.GlobalSecondaryIndexes = [...(description.GlobalSecondaryIndexes ?? []), describeGlobalIndex(index)]
  const built = buildGlobalIndex(engine, table, index)
  fillIndex(table, built)
  table.indexes = [...table.indexes, built]
}

function removeIndex(engine: Engine, table: Table, name: string): void {
  const index = table.indexes.find(candidate => candidate.name === name)!
  table.indexes = table.indexes.filter(other => other !== index)
  table.insights = table.insights.filter(({ indexName }) => indexName !== name)
  dropIndex(engine, table, index)
  const { description } = table
  setIndexList(description, 'GlobalSecondaryIndexes', withoutIndex(description.GlobalSecondaryIndexes, name))
}

/** Adds a vector index. Items with invalid vectors are left out. */
function addVectorIndex(
  engine: Engine,
  table: Table,
  index: VectorIndex,
  definitions: readonly AttributeDefinition[],
): void {
  const { description } = table
  addDefinitions(description, definitions)
  description.VectorIndexes = [...(description.VectorIndexes ?? []), describeVectorIndex(index)]
  table.vectorIndexes = [...table.vectorIndexes, buildAddedVectorIndex(engine, table, index)]
  fillVectorIndexes(table)
}

function removeVectorIndex(engine: Engine, table: Table, name: string): void {
  const index = table.vectorIndexes.find(candidate => candidate.name === name)!
  table.vectorIndexes = table.vectorIndexes.filter(other => other !== index)
  dropIndex(engine, table, index)
  const { description } = table
  setIndexList(description, 'VectorIndexes', withoutIndex(description.VectorIndexes, name))
  measureTableSize(table)
}

function withoutIndex<T extends { IndexName?: string | undefined }>(indexes: readonly T[] = [], name: string): T[] {
  return indexes.filter(index => index.IndexName !== name)
}

/** Sets a list of indexes, or removes the member if the list is empty. */
function setIndexList<Name extends 'GlobalSecondaryIndexes' | 'VectorIndexes'>(
  description: TableDescription,
  name: Name,
  indexes: NonNullable<TableDescription[Name]>,
): void {
  if (indexes.length > 0) description[name] = indexes
  else delete description[name]
}

function addDefinitions(description: TableDescription, definitions: readonly AttributeDefinition[]): void {
  const known = description.AttributeDefinitions ?? []
  const added = definitions.filter(({ AttributeName }) => !known.some(other => other.AttributeName === AttributeName))
  description.AttributeDefinitions = [...known, ...added].sort(compareByAttributeName)
}

/** Removes definitions of attributes that are not part of a key. */
function removeUnusedDefinitions(description: TableDescription): void {
  const { KeySchema = [], LocalSecondaryIndexes = [], GlobalSecondaryIndexes = [], VectorIndexes = [] } = description
  const used = new Set<string | undefined>()
  for (const schema of [KeySchema, ...[...LocalSecondaryIndexes, ...GlobalSecondaryIndexes].map(i => i.KeySchema!)])
    for (const { AttributeName } of schema) used.add(AttributeName)
  for (const { SearchSchema = [] } of VectorIndexes)
    for (const { AttributeName } of SearchSchema) used.add(AttributeName)
  description.AttributeDefinitions = description.AttributeDefinitions?.filter(({ AttributeName }) =>
    used.has(AttributeName),
  )
}
