import { BATCH_GET_KEYS, BATCH_WRITE_ITEMS, NAME_CHARACTERS_MAX, NAME_CHARACTERS_MIN } from '../limits.js'
import { bare, keys, late, max, min, pattern, saying, values } from './constraints.js'
import {
  attributesToGet,
  expression,
  expressionNames,
  NAME_PATTERN,
  returnConsumedCapacity,
  returnItemCollectionMetrics,
} from './members.js'
import { attributeMap, boolean, list, map, required, structure } from './shapes.js'

const tableNames = keys(max(NAME_CHARACTERS_MAX), min(NAME_CHARACTERS_MIN), pattern(NAME_PATTERN))

const keysAndAttributes = structure('KeysAndAttributes', {
  Keys: required(list(attributeMap, bare(min(1), max(BATCH_GET_KEYS)))),
  AttributesToGet: attributesToGet,
  ConsistentRead: boolean,
  ProjectionExpression: expression,
  ...expressionNames,
})

export const batchGetItem = structure('BatchGetItemInput', {
  RequestItems: required({
    ...map(keysAndAttributes, bare(min(1), max(BATCH_GET_KEYS)), tableNames),
    notation: 'json',
  }),
  ReturnConsumedCapacity: returnConsumedCapacity,
})

const hidden = ['workloadProfileName']

const writeRequest = structure(
  'WriteRequest',
  {
    PutRequest: structure('PutRequest', { Item: required(attributeMap) }, { hidden }),
    DeleteRequest: structure('DeleteRequest', { Key: required(attributeMap) }, { hidden }),
  },
  { first: ['DeleteRequest'] },
)

export const batchWriteItem = structure('BatchWriteItemInput', {
  RequestItems: required(
    map(
      list(writeRequest),
      saying('The requestItems parameter is required for BatchWriteItem', min(1)),
      max(BATCH_WRITE_ITEMS),
      values(max(BATCH_WRITE_ITEMS), min(1)),
      late(tableNames),
    ),
  ),
  ReturnConsumedCapacity: returnConsumedCapacity,
  ReturnItemCollectionMetrics: returnItemCollectionMetrics,
})
