import type { ExecuteStatementInput, ExecuteStatementOutput } from '../../../dynamodb/operation-types.js'
import { toConsumedCapacity } from '../../capacity/consumed-capacity.js'
import type { Engine } from '../../engine.js'
import { executeSingleWrite, planWrite } from '../../items/run-action.js'
import type { StatementParameters } from '../../partiql/literal-values.js'
import { decodeNextToken, encodeNextToken } from '../../partiql/next-token.js'
import { prepareStatement } from '../../partiql/prepare-statement.js'
import type { PreparedWrite } from '../../partiql/prepare-write.js'
import { type PreparedSelect, runSelect } from '../../partiql/run-select.js'
import { findTable } from '../../tables/find-table.js'
import { toReturnedAttributes } from '../items/update-item.js'
import { checkNoExistsStatement } from './execute-statement.validation.js'

export function executeStatement(
  engine: Engine,
  request: ExecuteStatementInput,
): ExecuteStatementOutput | Promise<ExecuteStatementOutput> {
  const prepared = prepareStatement(engine, request)
  checkNoExistsStatement(prepared)
  if (prepared.kind === 'read') return runRead(engine, request, prepared.select, prepared.parameters)
  const { write } = prepared
  return engine.keyValues.write(() => runWrite(engine, request, write))
}

function runRead(
  engine: Engine,
  request: ExecuteStatementInput,
  select: PreparedSelect,
  parameters: StatementParameters,
): ExecuteStatementOutput {
  const { Statement, NextToken, Limit } = request
  const { items, table, units, endPosition, lastKey } = runSelect(engine, select, {
    consistency: request.ConsistentRead ? 'strong' : 'eventual',
    limit: Limit ?? Number.POSITIVE_INFINITY,
    startPosition: NextToken === undefined ? undefined : decodeNextToken(NextToken, Statement, parameters),
  })
  const answer: ExecuteStatementOutput = { Items: items }
  if (endPosition) answer.NextToken = encodeNextToken(Statement, parameters, endPosition)
  if (lastKey) answer.LastEvaluatedKey = lastKey
  const consumed = toConsumedCapacity(request.ReturnConsumedCapacity, table.name, units)
  if (consumed) answer.ConsumedCapacity = consumed
  return answer
}

/** Executes one write and returns what its RETURNING clause requests. */
function runWrite(engine: Engine, request: ExecuteStatementInput, write: PreparedWrite): ExecuteStatementOutput {
  const table = findTable(engine, write.tableName)
  const action = write.newAction(table, 'statement', request.ReturnValuesOnConditionCheckFailure)
  const planned = planWrite(engine, action, action.locate(engine))
  const units = executeSingleWrite(engine, request, planned)
  const attributes = toReturnedAttributes(write.returning, planned, write.update)
  const answer: ExecuteStatementOutput = { Items: attributes ? [attributes] : [] }
  const consumed = toConsumedCapacity(request.ReturnConsumedCapacity, table.name, units)
  if (consumed) answer.ConsumedCapacity = consumed
  return answer
}
