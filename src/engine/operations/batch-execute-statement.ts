import { readUnits, writeUnits } from '../../dynamodb/capacity.js'
import type {
  BatchExecuteStatementAnswer,
  BatchExecuteStatementRequest,
  BatchStatementErrorCode,
  BatchStatementRequest,
  BatchStatementResponse,
} from '../../dynamodb/operations/statements.js'
import { TableUnits } from '../capacity/consumed.js'
import type { Engine } from '../engine.js'
import { HeldBackError, KeyError, ServiceError } from '../errors.js'
import type { Place } from '../items/action.js'
import { admitRead, carryOutAlone, countRead, planWrite } from '../items/perform.js'
import { answerItem } from '../items/read.js'
import { billedBytes } from '../vectors/billed.js'
import {
  type BatchRead,
  type BatchStatement,
  type BatchWrite,
  checkBatch,
  locateBatchStatement,
  prepareBatchStatement,
} from './batch-execute-statement.validation.js'
import { returnedAttributes } from './update-item.js'

/** Every statement for itself: what one cannot do is told in its place, and the others are done. */
export function batchExecuteStatement(
  engine: Engine,
  request: BatchExecuteStatementRequest,
): BatchExecuteStatementAnswer {
  const statements = request.Statements.map(given => readStatement(engine, given))
  checkBatch(statements.filter((one): one is BatchStatement => !('Error' in one)))
  const units = new TableUnits()
  const lost = new TableUnits()
  const Responses = statements.map((one, i) =>
    'Error' in one
      ? one
      : attempt(
          () => run(engine, one, request, request.Statements[i]!, { units, lost }),
          one.table.name,
          one.kind === 'write' && one.key !== undefined,
        ),
  )
  const answer: BatchExecuteStatementAnswer = { Responses }
  const consumed = units.consumed(request.ReturnConsumedCapacity, undefined, lost)
  if (consumed?.length) answer.ConsumedCapacity = consumed
  return answer
}

function readStatement(engine: Engine, given: BatchStatementRequest): BatchStatement | Failed {
  const read = attempt(() => prepareBatchStatement(engine, given))
  return 'Error' in read ? read : attempt(() => locateBatchStatement(engine, read.prepared, given), read.tableName)
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

type Failed = Required<Pick<BatchStatementResponse, 'Error'>> & BatchStatementResponse

/**
 * What a statement comes to, or why it fails, with its table where it failed for more than what it says: by its key, or
 * on the item that it came to.
 */
function attempt<T>(step: () => T, tableName?: string, cameToItem = false): T | Failed {
  try {
    return step()
  } catch (error) {
    const Code = error instanceof ServiceError ? CODES[error.name] : undefined
    if (!Code) throw error
    const { message: Message, Item } = error as ServiceError
    const failed: Failed = { Error: Item ? { Code, Message, Item } : { Code, Message } }
    if (tableName !== undefined && (cameToItem || Code !== 'ValidationError' || error instanceof KeyError))
      failed.TableName = tableName
    return failed
  }
}

/** What the statements took: those that were done, and those that failed. */
interface Spent {
  readonly units: TableUnits
  readonly lost: TableUnits
}

function run(
  engine: Engine,
  statement: BatchStatement,
  request: BatchExecuteStatementRequest,
  given: BatchStatementRequest,
  spent: Spent,
): BatchStatementResponse {
  const TableName = statement.table.name
  const Item =
    statement.kind === 'read' ? read(engine, statement, given, spent.units) : write(engine, statement, request, spent)
  return Item ? { TableName, Item } : { TableName }
}

function read(
  engine: Engine,
  { table, place, projection }: BatchRead,
  given: BatchStatementRequest,
  units: TableUnits,
) {
  admitRead(engine, place)
  const { before: found } = place
  const consistency = given.ConsistentRead ? 'strong' : 'eventual'
  const spent = readUnits(found?.sizeBytes ?? 0, consistency)
  countRead(engine, place, spent)
  units.add(table, { table: spent, indexes: undefined })
  return found && answerItem(found, projection)
}

/** A write that fails is paid for too, if its table was written to by another. */
function write(
  engine: Engine,
  { table, action, prepared }: BatchWrite,
  request: BatchExecuteStatementRequest,
  { units, lost }: Spent,
) {
  let place: Place | undefined
  try {
    place = action.locate(engine)
    const planned = planWrite(engine, action, place)
    units.add(table, carryOutAlone(engine, request, planned))
    return returnedAttributes(prepared.returning, planned, prepared.update)
  } catch (error) {
    const inserted = prepared.type === 'insert' ? prepared.sizeBytes : 0
    if (place && !(error instanceof HeldBackError))
      lost.add(table, { table: writeUnits(Math.max(inserted, billedBytes(table, place.before))), indexes: undefined })
    throw error
  }
}
