import {
  BATCH_STATEMENTS,
  NEXT_TOKEN_CHARACTERS,
  STATEMENT_CHARACTERS,
  TRANSACT_ITEMS,
  TRANSACT_TOKEN_CHARACTERS,
} from '../limits.js'
import { inCodePoints, max, min } from './constraints.js'
import { returnConsumedCapacity, returnValuesOnFailure } from './members.js'
import { attributeValue, boolean, integer, list, required, structure, text } from './shapes.js'

const statement = {
  Statement: required(text(min(1), inCodePoints(max(STATEMENT_CHARACTERS)))),
  Parameters: list(attributeValue, min(1)),
}
const onFailure = { ReturnValuesOnConditionCheckFailure: returnValuesOnFailure }
const first = ['ReturnValuesOnConditionCheckFailure', 'Statement', 'Parameters']

export const executeStatement = structure(
  'ExecuteStatementInput',
  {
    ...statement,
    ConsistentRead: boolean,
    NextToken: text(min(1), max(NEXT_TOKEN_CHARACTERS)),
    ReturnConsumedCapacity: returnConsumedCapacity,
    Limit: integer(min(1)),
    ...onFailure,
  },
  { first: ['ReturnValuesOnConditionCheckFailure', 'Limit', 'Statement', 'ReturnConsumedCapacity', 'Parameters'] },
)

export const batchExecuteStatement = structure(
  'BatchExecuteStatementInput',
  {
    Statements: required(
      list(
        structure('BatchStatementRequest', { ...statement, ConsistentRead: boolean, ...onFailure }, { first }),
        min(1),
        max(BATCH_STATEMENTS),
      ),
    ),
    ReturnConsumedCapacity: returnConsumedCapacity,
  },
  { first: ['ReturnConsumedCapacity'] },
)

export const executeTransaction = structure(
  'ExecuteTransactionInput',
  {
    TransactStatements: required(
      list(structure('ParameterizedStatement', { ...statement, ...onFailure }, { first }), min(1), max(TRANSACT_ITEMS)),
    ),
    ClientRequestToken: text(min(1), max(TRANSACT_TOKEN_CHARACTERS)),
    ReturnConsumedCapacity: returnConsumedCapacity,
  },
  { first: ['ClientRequestToken', 'TransactStatements'] },
)
