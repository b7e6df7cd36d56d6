import type { Key } from '../../../dynamodb/attribute-value.js'
import type { BatchStatementRequest } from '../../../dynamodb/operation-types.js'
import type { Engine } from '../../engine.js'
import { ServiceError, validationError } from '../../errors.js'
import type { ProjectionExpression } from '../../expressions/projection.js'
import { type ItemLocation, locateKey, type WriteAction } from '../../items/write-action.js'
import { type PreparedStatement, prepareStatement } from '../../partiql/prepare-statement.js'
import type { PreparedWrite } from '../../partiql/prepare-write.js'
import { toReadRanges } from '../../partiql/read-ranges.js'
import type { PreparedSelect } from '../../partiql/run-select.js'
import {
  checkKeyValueType,
  hasConditionBeyondKey,
  isSingleEquality,
  resolveStatementKey,
} from '../../partiql/statement-key.js'
import { requireAllKeyed, whereBranchesOf } from '../../partiql/where-branches.js'
import { findTable } from '../../tables/find-table.js'
import type { Table } from '../../tables/table.js'
import { checkNoDuplicateKeys } from '../batches/batch-get-item.validation.js'
import { checkNoExistsStatement } from './execute-statement.validation.js'

export interface BatchReadStatement {
  readonly kind: 'read'
  readonly table: Table
  readonly location: ItemLocation
  readonly projection: ProjectionExpression | undefined
}

export interface BatchWriteStatement {
  readonly kind: 'write'
  readonly table: Table
  readonly action: WriteAction
  readonly prepared: PreparedWrite
  /** The key of the written item; undefined if the statement cannot be located. */
  readonly key: string | undefined
}

export type BatchStatement = BatchReadStatement | BatchWriteStatement

export function prepareBatchStatement(
  engine: Engine,
  input: BatchStatementRequest,
): { prepared: PreparedStatement; tableName: string } {
  const prepared = prepareStatement(engine, input)
  checkNoExistsStatement(prepared)
  const isRead = prepared.kind === 'read'
  return { prepared, tableName: isRead ? prepared.select.statement.target.names[0]! : prepared.write.tableName }
}

/** Resolves a statement of a batch to its one item. */
export function locateBatchStatement(
  engine: Engine,
  prepared: PreparedStatement,
  input: BatchStatementRequest,
): BatchStatement {
  if (prepared.kind === 'read') return locateReadStatement(engine, prepared.select)
  const { write } = prepared
  const table = findTable(engine, write.tableName)
  const action = write.newAction(table, 'statement', input.ReturnValuesOnConditionCheckFailure)
  return { kind: 'write', table, action, prepared: write, key: findWrittenKey(engine, action) }
}

/** Errors of locating an item are reported later, after the checks across statements. */
function findWrittenKey(engine: Engine, action: WriteAction): string | undefined {
  try {
    return action.locate(engine).key
  } catch (error) {
    if (error instanceof ServiceError) return undefined
    throw error
  }
}

const NO_KEY = 'Select statements within BatchExecuteStatement must specify the primary key in the where clause.'

function locateReadStatement(engine: Engine, select: PreparedSelect): BatchReadStatement {
  const { statement, projection } = select
  const tableName = statement.target.names[0]!
  const table = findTable(engine, tableName)
  const key = resolveSelectedKey(table, select, NO_KEY)
  for (const part of [...table.keys.partition, ...table.keys.sort]) checkKeyValueType(part, key[part.name]!)
  return { kind: 'read', table, location: locateKey(engine, tableName, key, projection), projection }
}

/**
 * Returns the key of the one item that a SELECT in a batch or a transaction names. The condition must consist of the
 * key only.
 */
export function resolveSelectedKey({ keys }: Table, { statement, where }: PreparedSelect, noKey: string): Key {
  const fault = () => validationError(noKey)
  if (!where || statement.target.names.length > 1) throw fault()
  const [partition] = keys.partition
  const [sort] = keys.sort
  const branches = requireAllKeyed(whereBranchesOf(where, partition!, sort) ?? [])
  if (branches) toReadRanges(branches, partition!, sort)
  if (hasConditionBeyondKey(keys, where, isSingleEquality)) throw fault()
  return resolveStatementKey(keys, where, { newMissingError: fault, newDuplicateError: fault }, isSingleEquality)
}

/** Checks that all statements read or all write, and that no item occurs twice. Failed statements are ignored. */
export function checkBatchStatements(statements: readonly BatchStatement[]): void {
  const reads = statements.filter(({ kind }) => kind === 'read').length
  if (reads > 0 && reads < statements.length)
    throw validationError('Read and write requests together in the same batch is not supported.')
  const keys = statements.map(
    statement => [statement.table.name, statement.kind === 'read' ? statement.location.key : statement.key] as const,
  )
  checkNoDuplicateKeys(keys.filter(([, key]) => key !== undefined).map(([name, key]) => `${name}/${key}`))
}
