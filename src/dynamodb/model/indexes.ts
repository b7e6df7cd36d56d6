import {
  ATTRIBUTE_NAME_BYTES,
  INDEX_INCLUDED_ATTRIBUTES,
  INDEX_KEY_PARTS,
  NAME_CHARACTERS_MAX,
  TABLE_KEY_PARTS,
} from '../limits.js'
import { max, min, withPath } from './constraints.js'
import { indexName, NAME_RULES } from './members.js'
import { enumShape, listShape, longShape, requiredShape, structureShape, textShape } from './shapes.js'
import { onDemandThroughput, provisionedThroughput, warmThroughput } from './throughput.js'

export const attributeName = requiredShape(textShape(min(1), max(NAME_CHARACTERS_MAX)))

const keySchemaElement = structureShape('KeySchemaElement', {
  AttributeName: attributeName,
  KeyType: requiredShape(enumShape('HASH', 'RANGE')),
})

/** For a key schema that is too long, the service reports the path without the index. */
const keySchemaOf = (parts: number) =>
  requiredShape(listShape(keySchemaElement, min(1), withPath('keySchema', max(parts))))

export const keySchema = keySchemaOf(TABLE_KEY_PARTS)

const projection = requiredShape(
  structureShape('Projection', {
    ProjectionType: enumShape('ALL', 'INCLUDE', 'KEYS_ONLY'),
    NonKeyAttributes: listShape(textShape(min(1), max(NAME_CHARACTERS_MAX)), min(1), max(INDEX_INCLUDED_ATTRIBUTES)),
  }),
)

export const localSecondaryIndexes = listShape(
  structureShape('LocalSecondaryIndex', {
    IndexName: requiredShape(indexName),
    KeySchema: keySchema,
    Projection: projection,
  }),
)

const globalIndexName = requiredShape(textShape(...NAME_RULES))

const globalIndexMembers = {
  IndexName: globalIndexName,
  KeySchema: keySchemaOf(2 * INDEX_KEY_PARTS),
  Projection: projection,
  ProvisionedThroughput: provisionedThroughput,
  OnDemandThroughput: onDemandThroughput,
  WarmThroughput: warmThroughput,
}

export const globalSecondaryIndexes = listShape(structureShape('GlobalSecondaryIndex', globalIndexMembers))

const vectorIndexMembers = {
  IndexName: requiredShape(indexName),
  VectorAttribute: requiredShape(structureShape('VectorAttributeDefinition', { AttributeName: attributeName })),
  SearchSchema: listShape(
    structureShape('SearchSchemaElement', {
      AttributeName: requiredShape(textShape(max(ATTRIBUTE_NAME_BYTES))),
      SearchSchemaElementType: requiredShape(enumShape('HASH', 'INLINE_FILTER')),
    }),
    min(1),
  ),
  Projection: projection,
  Dimensions: requiredShape(longShape(min(1))),
  DistanceFunction: requiredShape(enumShape('COSINE', 'DOT_PRODUCT', 'EUCLIDEAN')),
}

export const vectorIndexes = listShape(structureShape('VectorIndex', vectorIndexMembers))

export const globalSecondaryIndexUpdates = listShape(
  structureShape('GlobalSecondaryIndexUpdate', {
    Update: structureShape('UpdateGlobalSecondaryIndexAction', {
      IndexName: globalIndexName,
      ProvisionedThroughput: provisionedThroughput,
      OnDemandThroughput: onDemandThroughput,
      WarmThroughput: warmThroughput,
    }),
    Create: structureShape('CreateGlobalSecondaryIndexAction', globalIndexMembers),
    Delete: structureShape('DeleteGlobalSecondaryIndexAction', { IndexName: globalIndexName }),
  }),
)

export const vectorIndexUpdates = listShape(
  structureShape('VectorIndexUpdate', {
    Create: structureShape('CreateVectorIndexAction', vectorIndexMembers),
    Delete: structureShape('DeleteVectorIndexAction', { IndexName: requiredShape(indexName) }),
  }),
)
