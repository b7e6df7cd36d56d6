import { TRANSACT_ITEMS, TRANSACT_TOKEN_CHARACTERS } from '../limits.js'
import { max, min } from './constraints.js'
import {
  actionTableName,
  expressionAttributes,
  expressionNames,
  expressionText,
  returnConsumedCapacity,
  returnItemCollectionMetrics,
  returnValuesOnFailure,
} from './members.js'
import { attributeMapShape, listShape, requiredShape, structureShape, textShape } from './shapes.js'

const hidden = ['workloadProfileName']

const get = structureShape(
  'Get',
  {
    Key: requiredShape(attributeMapShape),
    TableName: actionTableName,
    ProjectionExpression: expressionText,
    ...expressionNames,
  },
  { hidden },
)

export const transactGetItems = structureShape('TransactGetItemsInput', {
  TransactItems: requiredShape(
    listShape(structureShape('TransactGetItem', { Get: requiredShape(get) }), min(1), max(TRANSACT_ITEMS)),
  ),
  ReturnConsumedCapacity: returnConsumedCapacity,
})

const actionOptions = {
  TableName: actionTableName,
  ConditionExpression: expressionText,
  ...expressionAttributes,
  ReturnValuesOnConditionCheckFailure: returnValuesOnFailure,
}

const conditionCheck = structureShape(
  'ConditionCheck',
  { Key: requiredShape(attributeMapShape), ...actionOptions, ConditionExpression: requiredShape(expressionText) },
  { hidden },
)
const put = structureShape('Put', { Item: requiredShape(attributeMapShape), ...actionOptions }, { hidden })
const remove = structureShape('Delete', { Key: requiredShape(attributeMapShape), ...actionOptions }, { hidden })
const update = structureShape(
  'Update',
  { Key: requiredShape(attributeMapShape), UpdateExpression: requiredShape(expressionText), ...actionOptions },
  { hidden },
)

export const transactWriteItems = structureShape(
  'TransactWriteItemsInput',
  {
    TransactItems: requiredShape(
      listShape(
        structureShape('TransactWriteItem', {
          ConditionCheck: conditionCheck,
          Put: put,
          Delete: remove,
          Update: update,
        }),
        min(1),
        max(TRANSACT_ITEMS),
      ),
    ),
    ReturnConsumedCapacity: returnConsumedCapacity,
    ReturnItemCollectionMetrics: returnItemCollectionMetrics,
    ClientRequestToken: textShape(min(1), max(TRANSACT_TOKEN_CHARACTERS)),
  },
  { first: ['TransactItems', 'ClientRequestToken'] },
)
