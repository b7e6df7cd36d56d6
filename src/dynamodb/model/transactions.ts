import { TRANSACT_ITEMS, TRANSACT_TOKEN_CHARACTERS } from '../limits.js'
import { max, min } from './constraints.js'
import {
  expression,
  expressionAttributes,
  expressionNames,
  partTableName,
  returnConsumedCapacity,
  returnItemCollectionMetrics,
  returnValuesOnFailure,
} from './members.js'
import { attributeMap, list, required, structure, text } from './shapes.js'

const hidden = ['workloadProfileName']

const get = structure(
  'Get',
  { Key: required(attributeMap), TableName: partTableName, ProjectionExpression: expression, ...expressionNames },
  { hidden },
)

export const transactGetItems = structure('TransactGetItemsInput', {
  TransactItems: required(list(structure('TransactGetItem', { Get: required(get) }), min(1), max(TRANSACT_ITEMS))),
  ReturnConsumedCapacity: returnConsumedCapacity,
})

const actionOptions = {
  TableName: partTableName,
  ConditionExpression: expression,
  ...expressionAttributes,
  ReturnValuesOnConditionCheckFailure: returnValuesOnFailure,
}

const conditionCheck = structure(
  'ConditionCheck',
  { Key: required(attributeMap), ...actionOptions, ConditionExpression: required(expression) },
  { hidden },
)
const put = structure('Put', { Item: required(attributeMap), ...actionOptions }, { hidden })
const remove = structure('Delete', { Key: required(attributeMap), ...actionOptions }, { hidden })
const update = structure(
  'Update',
  { Key: required(attributeMap), UpdateExpression: required(expression), ...actionOptions },
  { hidden },
)

export const transactWriteItems = structure(
  'TransactWriteItemsInput',
  {
    TransactItems: required(
      list(
        structure('TransactWriteItem', { ConditionCheck: conditionCheck, Put: put, Delete: remove, Update: update }),
        min(1),
        max(TRANSACT_ITEMS),
      ),
    ),
    ReturnConsumedCapacity: returnConsumedCapacity,
    ReturnItemCollectionMetrics: returnItemCollectionMetrics,
    ClientRequestToken: text(min(1), max(TRANSACT_TOKEN_CHARACTERS)),
  },
  { first: ['TransactItems', 'ClientRequestToken'] },
)
