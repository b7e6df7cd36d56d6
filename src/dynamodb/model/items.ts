import { attributeUpdates, conditionalOperator, expected } from './conditions.js'
import {
  attributesToGet,
  expression,
  expressionAttributes,
  expressionNames,
  oldReturnValues,
  returnConsumedCapacity,
  returnItemCollectionMetrics,
  returnValues,
  returnValuesOnFailure,
  tableName,
  uncountedCapacity,
  uncountedOnFailure,
} from './members.js'
import { attributeMap, boolean, required, structure } from './shapes.js'

export const getItem = structure(
  'GetItemInput',
  {
    TableName: tableName,
    Key: required(attributeMap),
    AttributesToGet: attributesToGet,
    ConsistentRead: boolean,
    ReturnConsumedCapacity: returnConsumedCapacity,
    ProjectionExpression: expression,
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
  ConditionExpression: expression,
  ...expressionAttributes,
  ReturnValuesOnConditionCheckFailure: returnValuesOnFailure,
}

export const putItem = structure(
  'PutItemInput',
  { TableName: tableName, Item: required(attributeMap), ...writeOptions },
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

export const updateItem = structure(
  'UpdateItemInput',
  {
    TableName: tableName,
    Key: required(attributeMap),
    AttributeUpdates: attributeUpdates,
    ...writeOptions,
    ReturnConsumedCapacity: uncountedCapacity,
    ReturnValuesOnConditionCheckFailure: uncountedOnFailure,
    UpdateExpression: expression,
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

export const deleteItem = structure(
  'DeleteItemInput',
  { TableName: tableName, Key: required(attributeMap), ...writeOptions, ReturnValues: oldReturnValues },
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
