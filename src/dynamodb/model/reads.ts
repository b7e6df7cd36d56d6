import { SCAN_SEGMENTS } from '../limits.js'
import { conditionalOperator, conditions, olderConditionalOperator } from './conditions.js'
import { max, min, withoutMemberValue } from './constraints.js'
import {
  attributesToGet,
  expressionAttributes,
  expressionText,
  indexName,
  olderSelect,
  returnConsumedCapacity,
  select,
  tableNameOrArn,
} from './members.js'
import { attributeMapShape, booleanShape, integerShape, structureShape } from './shapes.js'

export const query = structureShape(
  'QueryInput',
  {
    TableName: tableNameOrArn,
    IndexName: indexName,
    Select: select,
    AttributesToGet: attributesToGet,
    Limit: integerShape(withoutMemberValue(min(1))),
    ConsistentRead: booleanShape,
    KeyConditions: conditions,
    QueryFilter: conditions,
    ConditionalOperator: conditionalOperator,
    ScanIndexForward: booleanShape,
    ExclusiveStartKey: attributeMapShape,
    ReturnConsumedCapacity: returnConsumedCapacity,
    ProjectionExpression: expressionText,
    FilterExpression: expressionText,
    KeyConditionExpression: expressionText,
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

export const scan = structureShape(
  'ScanInput',
  {
    TableName: tableNameOrArn,
    IndexName: indexName,
    AttributesToGet: attributesToGet,
    Limit: integerShape(min(1)),
    Select: olderSelect,
    ScanFilter: conditions,
    ConditionalOperator: olderConditionalOperator,
    ExclusiveStartKey: attributeMapShape,
    ReturnConsumedCapacity: returnConsumedCapacity,
    TotalSegments: integerShape(min(1), max(SCAN_SEGMENTS)),
    Segment: integerShape(min(0), max(SCAN_SEGMENTS - 1)),
    ProjectionExpression: expressionText,
    FilterExpression: expressionText,
    ...expressionAttributes,
    ConsistentRead: booleanShape,
  },
  {
    // In 29 of 33 regions, us-east-1 among them, in October 2026.
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
