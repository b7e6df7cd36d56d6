import type { ExecuteStatementAnswer, ExecuteStatementRequest } from '../../dynamodb/operations/statements.js'
import { consumedCapacity } from '../capacity/consumed.js'
import type { Engine } from '../engine.js'
import { carryOutAlone, planWrite } from '../items/perform.js'
import type { Parameters } from '../partiql/literals.js'
import { readToken, writeToken } from '../partiql/next-token.js'
import { prepare } from '../partiql/prepare.js'
import { type PreparedSelect, runSelect } from '../partiql/select.js'
import type { PreparedWrite } from '../partiql/write.js'
import { findTable } from '../tables/find.js'
import { refuseExists } from './execute-statement.validation.js'
import { returnedAttributes } from './update-item.js'

export function executeStatement(
  engine: Engine,
  request: ExecuteStatementRequest,
): ExecuteStatementAnswer | Promise<ExecuteStatementAnswer> {
  const prepared = prepare(engine, request)
  refuseExists(prepared)
  if (prepared.kind === 'read') return read(engine, request, prepared.select, prepared.parameters)
  const { write } = prepared
  return engine.keyValues.write(() => answerWrite(engine, request, write))
}

function read(
  engine: Engine,
  request: ExecuteStatementRequest,
  select: PreparedSelect,
  parameters: Parameters,
): ExecuteStatementAnswer {
  const { Statement, NextToken, Limit } = request
  const { items, table, units, end, last } = runSelect(engine, select, {
    consistency: request.ConsistentRead ? 'strong' : 'eventual',
    limit: Limit ?? Number.POSITIVE_INFINITY,
    start: NextToken === undefined ? undefined : readToken(NextToken, Statement, parameters),
  })
  const answer: ExecuteStatementAnswer = { Items: items }
  if (end) answer.NextToken = writeToken(Statement, parameters, end)
  if (last) answer.LastEvaluatedKey = last
  const consumed = consumedCapacity(request.ReturnConsumedCapacity, table.name, units)
  if (consumed) answer.ConsumedCapacity = consumed
  return answer
}

/** One write, answered with what its RETURNING clause asks for. */
function answerWrite(engine: Engine, request: ExecuteStatementRequest, write: PreparedWrite): ExecuteStatementAnswer {
  const table = findTable(engine, write.tableName)
  const action = write.action(table, 'statement', request.ReturnValuesOnConditionCheckFailure)
  const planned = planWrite(engine, action, action.locate(engine))
  const units = carryOutAlone(engine, request, planned)
  const attributes = returnedAttributes(write.returning, planned, write.update)
  const answer: ExecuteStatementAnswer = { Items: attributes ? [attributes] : [] }
  const consumed = consumedCapacity(request.ReturnConsumedCapacity, table.name, units)
  if (consumed) answer.ConsumedCapacity = consumed
  return answer
}
