import { SCAN_SEGMENTS } from '../limits.js'
import { conditionalOperator, conditions, olderConditionalOperator } from './conditions.js'
import { bare, max, min } from './constraints.js'
import {
  attributesToGet,
  expression,
  expressionAttributes,
  indexName,
  olderSelect,
  returnConsumedCapacity,
  select,
  tableName,
} from './members.js'
import { attributeMap, boolean, integer, structure } from './shapes.js'

export const query = structure(
  'QueryInput',
  {
    TableName: tableName,
    IndexName: indexName,
    Select: select,
    AttributesToGet: attributesToGet,
    Limit: integer(bare(min(1))),
    ConsistentRead: boolean,
    KeyConditions: conditions,
    QueryFilter: conditions,
    ConditionalOperator: conditionalOperator,
    ScanIndexForward: boolean,
    ExclusiveStartKey: attributeMap,
    ReturnConsumedCapacity: returnConsumedCapacity,
    ProjectionExpression: expression,
    FilterExpression: expression,
    KeyConditionExpression: expression,
    ...expressionAttributes,
  },
  {
    first: [
      'Select',
      'IndexName',
      'ReturnConsumedCapacity',
      'QueryFilter',
      'TableName',
      'ConditionalOperator',
      'AttributesToGet',
      'Limit',
      'KeyConditions',
    ],
  },
)

export const scan = structure(
  'ScanInput',
  {
    TableName: tableName,
    IndexName: indexName,
    AttributesToGet: attributesToGet,
    Limit: integer(min(1)),
    Select: olderSelect,
    ScanFilter: conditions,
    ConditionalOperator: olderConditionalOperator,
    ExclusiveStartKey: attributeMap,
    ReturnConsumedCapacity: returnConsumedCapacity,
    TotalSegments: integer(min(1), max(SCAN_SEGMENTS)),
    Segment: integer(min(0), max(SCAN_SEGMENTS - 1)),
    ProjectionExpression: expression,
    FilterExpression: expression,
    ...expressionAttributes,
    ConsistentRead: boolean,
  },
  {
    // In 29 of 33 regions, us-east-1 among them, as of October 2026.
    validator: 'older',
    first: [
      'Select',
      'IndexName',
      'TotalSegments',
      'ReturnConsumedCapacity',
      'TableName',
      'ConditionalOperator',
      'ScanFilter',
      'Segment',
      'Limit',
      'AttributesToGet',
    ],
  },
)
