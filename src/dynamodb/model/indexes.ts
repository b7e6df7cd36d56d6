import {
  ATTRIBUTE_NAME_BYTES,
  INDEX_INCLUDED_ATTRIBUTES,
  INDEX_KEY_PARTS,
  NAME_CHARACTERS_MAX,
  TABLE_KEY_PARTS,
} from '../limits.js'
import { max, min, namedAt } from './constraints.js'
import { indexName, NAME_RULES } from './members.js'
import { enumeration, list, long, required, structure, text } from './shapes.js'
import { onDemandThroughput, provisionedThroughput, warmThroughput } from './throughput.js'

export const attributeName = required(text(min(1), max(NAME_CHARACTERS_MAX)))

const keySchemaElement = structure('KeySchemaElement', {
  AttributeName: attributeName,
  KeyType: required(enumeration('HASH', 'RANGE')),
})

/** The service names the path of too long a schema without the index that has it. */
const keySchemaOf = (parts: number) => required(list(keySchemaElement, min(1), namedAt('keySchema', max(parts))))

export const keySchema = keySchemaOf(TABLE_KEY_PARTS)

const projection = required(
  structure('Projection', {
    ProjectionType: enumeration('ALL', 'INCLUDE', 'KEYS_ONLY'),
    NonKeyAttributes: list(text(min(1), max(NAME_CHARACTERS_MAX)), min(1), max(INDEX_INCLUDED_ATTRIBUTES)),
  }),
)

export const localSecondaryIndexes = list(
  structure('LocalSecondaryIndex', { IndexName: required(indexName), KeySchema: keySchema, Projection: projection }),
)

const globalIndexName = required(text(...NAME_RULES))

const globalIndexMembers = {
  IndexName: globalIndexName,
  KeySchema: keySchemaOf(2 * INDEX_KEY_PARTS),
  Projection: projection,
  ProvisionedThroughput: provisionedThroughput,
  OnDemandThroughput: onDemandThroughput,
  WarmThroughput: warmThroughput,
}

export const globalSecondaryIndexes = list(structure('GlobalSecondaryIndex', globalIndexMembers))

const vectorIndexMembers = {
  IndexName: required(indexName),
  VectorAttribute: required(structure('VectorAttributeDefinition', { AttributeName: attributeName })),
  SearchSchema: list(
    structure('SearchSchemaElement', {
      AttributeName: required(text(max(ATTRIBUTE_NAME_BYTES))),
      SearchSchemaElementType: required(enumeration('HASH', 'INLINE_FILTER')),
    }),
    min(1),
  ),
  Projection: projection,
  Dimensions: required(long(min(1))),
  DistanceFunction: required(enumeration('COSINE', 'DOT_PRODUCT', 'EUCLIDEAN')),
}

export const vectorIndexes = list(structure('VectorIndex', vectorIndexMembers))

export const globalSecondaryIndexUpdates = list(
  structure('GlobalSecondaryIndexUpdate', {
    Update: structure('UpdateGlobalSecondaryIndexAction', {
      IndexName: globalIndexName,
      ProvisionedThroughput: provisionedThroughput,
      OnDemandThroughput: onDemandThroughput,
      WarmThroughput: warmThroughput,
    }),
    Create: structure('CreateGlobalSecondaryIndexAction', globalIndexMembers),
    Delete: structure('DeleteGlobalSecondaryIndexAction', { IndexName: globalIndexName }),
  }),
)

export const vectorIndexUpdates = list(
  structure('VectorIndexUpdate', {
    Create: structure('CreateVectorIndexAction', vectorIndexMembers),
    Delete: structure('DeleteVectorIndexAction', { IndexName: required(indexName) }),
  }),
)
