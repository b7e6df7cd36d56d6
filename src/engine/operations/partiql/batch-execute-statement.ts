import { countReadUnits, countWriteUnits } from '../../../dynamodb/capacity.js'
import type {
  BatchExecuteStatementInput,
  BatchExecuteStatementOutput,
  BatchStatementErrorCode,
  BatchStatementRequest,
  BatchStatementResponse,
} from '../../../dynamodb/operation-types.js'
import { TableUnits } from '../../capacity/consumed-capacity.js'
import type { Engine } from '../../engine.js'
import { KeyError, ServiceError, TransientServiceError } from '../../errors.js'
import { toOutputItem } from '../../items/output-item.js'
import { admitRead, countRead, executeSingleWrite, planWrite } from '../../items/run-action.js'
import type { ItemLocation } from '../../items/write-action.js'
import { billedBytesOf } from '../../vectors/billed-bytes.js'
import { toReturnedAttributes } from '../items/update-item.js'
import {
  type BatchReadStatement,
  type BatchStatement,
  type BatchWriteStatement,
  checkBatchStatements,
  locateBatchStatement,
  prepareBatchStatement,
} from './batch-execute-statement.validation.js'

/** Executes each statement independently. A failure is reported in the response of its statement. */
export function batchExecuteStatement(
  engine: Engine,
  request: BatchExecuteStatementInput,
): BatchExecuteStatementOutput {
  const statements = request.Statements.map(input => readStatement(engine, input))
  checkBatchStatements(statements.filter((statement): statement is BatchStatement => !('Error' in statement)))
  const units = new TableUnits()
  const failedUnits = new TableUnits()
  const Responses = statements.map((statement, i) =>
    'Error' in statement
      ? statement
      : attemptStatement(
          () => runStatement(engine, statement, request, request.Statements[i]!, { units, failedUnits }),
          statement.table.name,
          statement.kind === 'write' && statement.key !== undefined,
        ),
  )
  const answer: BatchExecuteStatementOutput = { Responses }
  const consumed = units.toConsumedCapacities(request.ReturnConsumedCapacity, undefined, failedUnits)
  if (consumed?.length) answer.ConsumedCapacity = consumed
  return answer
}

function readStatement(engine: Engine, input: BatchStatementRequest): BatchStatement | FailedStatement {
  const read = attemptStatement(() => prepareBatchStatement(engine, input))
  return 'Error' in read
    ? read
    : attemptStatement(() => locateBatchStatement(engine, read.prepared, input), read.tableName)
}

const CODES: Readonly<Record<string, BatchStatementErrorCode>> = {
  ConditionalCheckFailedException: 'ConditionalCheckFailed',
  DuplicateItemException: 'DuplicateItem',
  ProvisionedThroughputExceededException: 'ProvisionedThroughputExceeded',
  ResourceNotFoundException: 'ResourceNotFound',
  ThrottlingException: 'ThrottlingError',
  TransactionConflictException: 'TransactionConflict',
  ValidationException: 'ValidationError',
}

type FailedStatement = Required<Pick<BatchStatementResponse, 'Error'>> & BatchStatementResponse

/**
 * Returns the result of a statement, or its error. The error includes the table name if it was caused by a key or
 * occurred after the item was read.
 */
function attemptStatement<T>(step: () => T, tableName?: string, hasReachedItem = false): T | FailedStatement {
  try {
    return step()
  } catch (error) {
    const Code = error instanceof ServiceError ? CODES[error.name] : undefined
    if (!Code) throw error
    const { message: Message, Item } = error as ServiceError
    const failed: FailedStatement = { Error: Item ? { Code, Message, Item } : { Code, Message } }
    if (tableName !== undefined && (hasReachedItem || Code !== 'ValidationError' || error instanceof KeyError))
      failed.TableName = tableName
    return failed
  }
}

/** The units of successful and of failed statements. */
interface StatementUnits {
  readonly units: TableUnits
  readonly failedUnits: TableUnits
}

function runStatement(
  engine: Engine,
  statement: BatchStatement,
  request: BatchExecuteStatementInput,
  input: BatchStatementRequest,
  statementUnits: StatementUnits,
): BatchStatementResponse {
  const TableName = statement.table.name
  const Item =
    statement.kind === 'read'
      ? runRead(engine, statement, input, statementUnits.units)
      : runWrite(engine, statement, request, statementUnits)
  return Item ? { TableName, Item } : { TableName }
}

function runRead(
  engine: Engine,
  { table, location, projection }: BatchReadStatement,
  input: BatchStatementRequest,
  units: TableUnits,
) {
  admitRead(engine, location)
  const { before: found } = location
  const consistency = input.ConsistentRead ? 'strong' : 'eventual'
  const spent = countReadUnits(found?.sizeBytes ?? 0, consistency)
  countRead(engine, location, spent)
  units.add(table, { table: spent, indexes: undefined })
  return found && toOutputItem(found, projection)
}

/** A failed write also consumes capacity. The output shows it if another statement wrote to the table. */
function runWrite(
  engine: Engine,
  { table, action, prepared }: BatchWriteStatement,
  request: BatchExecuteStatementInput,
  { units, failedUnits }: StatementUnits,
) {
  let place: ItemLocation | undefined
  try {
    place = action.locate(engine)
    const planned = planWrite(engine, action, place)
    units.add(table, executeSingleWrite(engine, request, planned))
    return toReturnedAttributes(prepared.returning, planned, prepared.update)
  } catch (error) {
    const inserted = prepared.type === 'insert' ? prepared.sizeBytes : 0
    if (place && !(error instanceof TransientServiceError))
      failedUnits.add(table, {
        table: countWriteUnits(Math.max(inserted, billedBytesOf(table, place.before))),
        indexes: undefined,
      })
    throw error
  }
}
