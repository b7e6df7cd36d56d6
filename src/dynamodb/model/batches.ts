import { BATCH_GET_KEYS, BATCH_WRITE_ITEMS, NAME_CHARACTERS_MAX, NAME_CHARACTERS_MIN } from '../limits.js'
import { checkedLate, keys, max, min, pattern, values, withMessage, withoutMemberValue } from './constraints.js'
import {
  attributesToGet,
  expressionNames,
  expressionText,
  NAME_PATTERN,
  returnConsumedCapacity,
  returnItemCollectionMetrics,
} from './members.js'
import { attributeMapShape, booleanShape, listShape, mapShape, requiredShape, structureShape } from './shapes.js'

const tableNames = keys(max(NAME_CHARACTERS_MAX), min(NAME_CHARACTERS_MIN), pattern(NAME_PATTERN))

const keysAndAttributes = structureShape('KeysAndAttributes', {
  Keys: requiredShape(listShape(attributeMapShape, withoutMemberValue(min(1), max(BATCH_GET_KEYS)))),
  AttributesToGet: attributesToGet,
  ConsistentRead: booleanShape,
  ProjectionExpression: expressionText,
  ...expressionNames,
})

export const batchGetItem = structureShape('BatchGetItemInput', {
  RequestItems: requiredShape({
    ...mapShape(keysAndAttributes, withoutMemberValue(min(1), max(BATCH_GET_KEYS)), tableNames),
    notation: 'json',
  }),
  ReturnConsumedCapacity: returnConsumedCapacity,
})

const hidden = ['workloadProfileName']

const writeRequest = structureShape(
  'WriteRequest',
  {
    PutRequest: structureShape('PutRequest', { Item: requiredShape(attributeMapShape) }, { hidden }),
    DeleteRequest: structureShape('DeleteRequest', { Key: requiredShape(attributeMapShape) }, { hidden }),
  },
  { first: ['DeleteRequest'] },
)

export const batchWriteItem = structureShape('BatchWriteItemInput', {
  RequestItems: requiredShape(
    mapShape(
      listShape(writeRequest),
      withMessage('The requestItems parameter is required for BatchWriteItem', min(1)),
      max(BATCH_WRITE_ITEMS),
      values(max(BATCH_WRITE_ITEMS), min(1)),
      checkedLate(tableNames),
    ),
  ),
  ReturnConsumedCapacity: returnConsumedCapacity,
  ReturnItemCollectionMetrics: returnItemCollectionMetrics,
})
