import type { ExecuteTransactionRequest, ParameterizedStatement } from '../../dynamodb/operations/statements.js'
import type { Engine } from '../engine.js'
import { RequestError, ServiceError, validation } from '../errors.js'
import { type Action, locateKey, type Place } from '../items/action.js'
import { takeParameters } from '../partiql/literals.js'
import { knownTable, type Prepared, prepareWith } from '../partiql/prepare.js'
import type { PreparedSelect } from '../partiql/select.js'
import type { Target } from '../partiql/syntax.js'
import type { PreparedWrite } from '../partiql/write.js'
import { findTable } from '../tables/find.js'
import { selectedKey } from './batch-execute-statement.validation.js'
import { checkWrittenBytes } from './transact-write-items.validation.js'

export interface TransactionRead {
  readonly position: number
  readonly select: PreparedSelect
}

export interface TransactionWrite {
  readonly position: number
  readonly write: PreparedWrite
  readonly given: ParameterizedStatement
}

/** All parameters are looked at before any statement is read. */
export function readExecuteTransaction(
  engine: Engine,
  { TransactStatements }: ExecuteTransactionRequest,
): {
  reads: TransactionRead[]
  writes: TransactionWrite[]
} {
  const parameters = TransactStatements.map(given => takeParameters(given.Parameters))
  const reads: TransactionRead[] = []
  const writes: TransactionWrite[] = []
  TransactStatements.forEach((given, position) => {
    const prepared = named(position, () =>
      readOne(engine, prepareWith(engine, given, parameters[position]!, refuseIndex)),
    )
    if (prepared.kind === 'read') reads.push({ position, select: prepared.select })
    else writes.push({ position, write: prepared.write, given })
  })
  if (reads.length > 0 && writes.length > 0)
    throw validation('ExecuteTransaction API does not support both read and write operations in the same request.')
  checkWrittenBytes(writes.map(({ write }) => write.sizeBytes))
  return { reads, writes }
}

/** What a statement asks of a table that is not there is not looked at. */
function readOne(engine: Engine, prepared: Prepared): Prepared {
  if (prepared.kind === 'write' && prepared.write.returning && knownTable(engine, prepared.write.tableName))
    throw validation('RETURNING clause is not supported in ExecuteTransaction.')
  return prepared
}

function refuseIndex(engine: Engine, { names: [nameOrArn = '', indexName] }: Target): void {
  if (indexName !== undefined && knownTable(engine, nameOrArn))
    throw validation('Reads on indices are not supported within transactions.')
}

/** Does a step of a statement, whose faults are the request's, told with the place of the statement. */
function named<T>(position: number, step: () => T): T {
  try {
    return step()
  } catch (error) {
    if (!(error instanceof ServiceError) || error.name !== 'ValidationException') throw error
    throw inStatement(position, error.message)
  }
}

const inStatement = (position: number, message: string) =>
  new RequestError(`Validation failed in TransactStatements[${position}]: ${message}`)

const NO_KEY = 'Select statements within ExecuteTransaction must specify the primary key in the where clause.'

export function transactionPlace(engine: Engine, { position, select }: TransactionRead): Place {
  const { statement, projection } = select
  const tableName = statement.target.names[0]!
  const table = findTable(engine, tableName)
  const key = named(position, () => selectedKey(table, select, NO_KEY))
  return locateKey(engine, tableName, key, projection)
}

/** What is no key at all, and an EXISTS that asks nothing, fail the request; the rest is a reason for the statement. */
export function transactionAction(engine: Engine, { position, write, given }: TransactionWrite): Action {
  const table = findTable(engine, write.tableName)
  try {
    return write.action(table, 'write', given.ReturnValuesOnConditionCheckFailure)
  } catch (error) {
    throw error instanceof RequestError ? inStatement(position, error.message) : error
  }
}
