import type { ExecuteTransactionInput, ParameterizedStatement } from '../../../dynamodb/operation-types.js'
import type { Engine } from '../../engine.js'
import { RequestError, ServiceError, validationError } from '../../errors.js'
import { type ItemLocation, locateKey, type WriteAction } from '../../items/write-action.js'
import { parseParameters } from '../../partiql/literal-values.js'
import type { PartiqlTarget } from '../../partiql/parsing/syntax.js'
import { findTableIfUsable, type PreparedStatement, prepareStatementWith } from '../../partiql/prepare-statement.js'
import type { PreparedWrite } from '../../partiql/prepare-write.js'
import type { PreparedSelect } from '../../partiql/run-select.js'
import { findTable } from '../../tables/find-table.js'
import { checkTransactionWriteSize } from '../transactions/transact-write-items.validation.js'
import { resolveSelectedKey } from './batch-execute-statement.validation.js'

export interface TransactionReadStatement {
  readonly position: number
  readonly select: PreparedSelect
}

export interface TransactionWriteStatement {
  readonly position: number
  readonly write: PreparedWrite
  readonly input: ParameterizedStatement
}

/** Parses the statements of a transaction. All parameters are parsed before any statement. */
export function readExecuteTransaction(
  engine: Engine,
  { TransactStatements }: ExecuteTransactionInput,
): {
  reads: TransactionReadStatement[]
  writes: TransactionWriteStatement[]
} {
  const parameters = TransactStatements.map(input => parseParameters(input.Parameters))
  const reads: TransactionReadStatement[] = []
  const writes: TransactionWriteStatement[] = []
  TransactStatements.forEach((input, position) => {
    const prepared = withStatementPosition(position, () =>
      checkReturning(engine, prepareStatementWith(engine, input, parameters[position]!, checkNoIndexRead)),
    )
    if (prepared.kind === 'read') reads.push({ position, select: prepared.select })
    else writes.push({ position, write: prepared.write, input })
  })
  if (reads.length > 0 && writes.length > 0)
    throw validationError('ExecuteTransaction API does not support both read and write operations in the same request.')
  checkTransactionWriteSize(writes.map(({ write }) => write.sizeBytes))
  return { reads, writes }
}

/** A RETURNING clause is not reported if the table does not exist. */
function checkReturning(engine: Engine, prepared: PreparedStatement): PreparedStatement {
  if (prepared.kind === 'write' && prepared.write.returning && findTableIfUsable(engine, prepared.write.tableName))
    throw validationError('RETURNING clause is not supported in ExecuteTransaction.')
  return prepared
}

function checkNoIndexRead(engine: Engine, { names: [nameOrArn = '', indexName] }: PartiqlTarget): void {
  if (indexName !== undefined && findTableIfUsable(engine, nameOrArn))
    throw validationError('Reads on indices are not supported within transactions.')
}

/** Runs a step of a statement and adds the position of the statement to validation errors. */
function withStatementPosition<T>(position: number, step: () => T): T {
  try {
    return step()
  } catch (error) {
    if (!(error instanceof ServiceError) || error.name !== 'ValidationException') throw error
    throw statementError(position, error.message)
  }
}

const statementError = (position: number, message: string) =>
  new RequestError(`Validation failed in TransactStatements[${position}]: ${message}`)

const NO_KEY = 'Select statements within ExecuteTransaction must specify the primary key in the where clause.'

export function locateTransactionRead(engine: Engine, { position, select }: TransactionReadStatement): ItemLocation {
  const { statement, projection } = select
  const tableName = statement.target.names[0]!
  const table = findTable(engine, tableName)
  const key = withStatementPosition(position, () => resolveSelectedKey(table, select, NO_KEY))
  return locateKey(engine, tableName, key, projection)
}

/**
 * A missing key and an EXISTS without a condition fail the request. Other errors are a cancellation reason of the
 * statement.
 */
export function newTransactionAction(
  engine: Engine,
  { position, write, input }: TransactionWriteStatement,
): WriteAction {
  const table = findTable(engine, write.tableName)
  try {
    return write.newAction(table, 'write', input.ReturnValuesOnConditionCheckFailure)
  } catch (error) {
    throw error instanceof RequestError ? statementError(position, error.message) : error
  }
}
