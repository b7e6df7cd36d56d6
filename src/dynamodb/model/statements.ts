import {
  BATCH_STATEMENTS,
  NEXT_TOKEN_CHARACTERS,
  STATEMENT_CHARACTERS,
  TRANSACT_ITEMS,
  TRANSACT_TOKEN_CHARACTERS,
} from '../limits.js'
import { inCodePoints, max, min } from './constraints.js'
import { returnConsumedCapacity, returnValuesOnFailure } from './members.js'
import {
  attributeValueShape,
  booleanShape,
  integerShape,
  listShape,
  requiredShape,
  structureShape,
  textShape,
} from './shapes.js'

const statement = {
  Statement: requiredShape(textShape(min(1), inCodePoints(max(STATEMENT_CHARACTERS)))),
  Parameters: listShape(attributeValueShape, min(1)),
}
const onFailure = { ReturnValuesOnConditionCheckFailure: returnValuesOnFailure }
const first = ['ReturnValuesOnConditionCheckFailure', 'Statement', 'Parameters']

export const executeStatement = structureShape(
  'ExecuteStatementInput',
  {
    ...statement,
    ConsistentRead: booleanShape,
    NextToken: textShape(min(1), max(NEXT_TOKEN_CHARACTERS)),
    ReturnConsumedCapacity: returnConsumedCapacity,
    Limit: integerShape(min(1)),
    ...onFailure,
  },
  { first: ['ReturnValuesOnConditionCheckFailure', 'Limit', 'Statement', 'ReturnConsumedCapacity', 'Parameters'] },
)

export const batchExecuteStatement = structureShape(
  'BatchExecuteStatementInput',
  {
    Statements: requiredShape(
      listShape(
        structureShape(
          'BatchStatementRequest',
          { ...statement, ConsistentRead: booleanShape, ...onFailure },
          { first },
        ),
        min(1),
        max(BATCH_STATEMENTS),
      ),
    ),
    ReturnConsumedCapacity: returnConsumedCapacity,
  },
  { first: ['ReturnConsumedCapacity'] },
)

export const executeTransaction = structureShape(
  'ExecuteTransactionInput',
  {
    TransactStatements: requiredShape(
      listShape(
        structureShape('ParameterizedStatement', { ...statement, ...onFailure }, { first }),
        min(1),
        max(TRANSACT_ITEMS),
      ),
    ),
    ClientRequestToken: textShape(min(1), max(TRANSACT_TOKEN_CHARACTERS)),
    ReturnConsumedCapacity: returnConsumedCapacity,
  },
  { first: ['ClientRequestToken', 'TransactStatements'] },
)
