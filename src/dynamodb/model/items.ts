import { attributeUpdates, conditionalOperator, expected } from './conditions.js'
import {
  attributesToGet,
  expressionAttributes,
  expressionNames,
  expressionText,
  oldReturnValues,
  returnConsumedCapacity,
  returnItemCollectionMetrics,
  returnValues,
  returnValuesOnFailure,
  tableNameOrArn,
  uncountedConsumedCapacity,
  uncountedOnFailure,
} from './members.js'
import { attributeMapShape, booleanShape, requiredShape, structureShape } from './shapes.js'

export const getItem = structureShape(
  'GetItemInput',
  {
    TableName: tableNameOrArn,
    Key: requiredShape(attributeMapShape),
    AttributesToGet: attributesToGet,
    ConsistentRead: booleanShape,
    ReturnConsumedCapacity: returnConsumedCapacity,
    ProjectionExpression: expressionText,
    ...expressionNames,
  },
  { first: ['AttributesToGet', 'ReturnConsumedCapacity', 'Key', 'TableName'] },
)

const writeOptions = {
  Expected: expected,
  ConditionalOperator: conditionalOperator,
  ReturnValues: returnValues,
  ReturnConsumedCapacity: returnConsumedCapacity,
  ReturnItemCollectionMetrics: returnItemCollectionMetrics,
  ConditionExpression: expressionText,
  ...expressionAttributes,
  ReturnValuesOnConditionCheckFailure: returnValuesOnFailure,
}

export const putItem = structureShape(
  'PutItemInput',
  { TableName: tableNameOrArn, Item: requiredShape(attributeMapShape), ...writeOptions },
  {
    first: [
      'ReturnConsumedCapacity',
      'TableName',
      'Item',
      'ConditionalOperator',
      'Expected',
      'ReturnValues',
      'ReturnItemCollectionMetrics',
    ],
  },
)

export const updateItem = structureShape(
  'UpdateItemInput',
  {
    TableName: tableNameOrArn,
    Key: requiredShape(attributeMapShape),
    AttributeUpdates: attributeUpdates,
    ...writeOptions,
    ReturnConsumedCapacity: uncountedConsumedCapacity,
    ReturnValuesOnConditionCheckFailure: uncountedOnFailure,
    UpdateExpression: expressionText,
  },
  {
    alone: [
      'TableName',
      'ReturnValues',
      'ReturnValuesOnConditionCheckFailure',
      'ReturnItemCollectionMetrics',
      'ReturnConsumedCapacity',
    ],
    first: [
      'ReturnConsumedCapacity',
      'TableName',
      'ReturnValues',
      'ConditionalOperator',
      'ReturnValuesOnConditionCheckFailure',
      'ReturnItemCollectionMetrics',
      'Key',
      'Expected',
      'AttributeUpdates',
    ],
  },
)

export const deleteItem = structureShape(
  'DeleteItemInput',
  { TableName: tableNameOrArn, Key: requiredShape(attributeMapShape), ...writeOptions, ReturnValues: oldReturnValues },
  {
    first: [
      'ReturnConsumedCapacity',
      'TableName',
      'ReturnValues',
      'ConditionalOperator',
      'ReturnItemCollectionMetrics',
      'Key',
      'Expected',
    ],
  },
)
