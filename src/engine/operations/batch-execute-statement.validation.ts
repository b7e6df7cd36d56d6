import type { BatchStatementRequest } from '../../dynamodb/operations/statements.js'
import type { Engine } from '../engine.js'
import { ServiceError, validation } from '../errors.js'
import type { Projection } from '../expressions/projection.js'
import { type Action, locateKey, type Place } from '../items/action.js'
import { asksMore, checkKeyValue, isEqualToOne, writtenKey } from '../partiql/key-values.js'
import { type Prepared, prepare } from '../partiql/prepare.js'
import type { PreparedSelect } from '../partiql/select.js'
import type { PreparedWrite } from '../partiql/write.js'
import { findTable } from '../tables/find.js'
import type { Table } from '../tables/table.js'
import { refuseDuplicateKeys } from './batch-get-item.validation.js'
import { refuseExists } from './execute-statement.validation.js'

export interface BatchRead {
  readonly kind: 'read'
  readonly table: Table
  readonly place: Place
  readonly projection: Projection | undefined
}

export interface BatchWrite {
  readonly kind: 'write'
  readonly table: Table
  readonly action: Action
  readonly prepared: PreparedWrite
  /** The key that it writes; unknown where that is not to be written. */
  readonly key: string | undefined
}

export type BatchStatement = BatchRead | BatchWrite

export function prepareBatchStatement(
  engine: Engine,
  given: BatchStatementRequest,
): { prepared: Prepared; tableName: string } {
  const prepared = prepare(engine, given)
  refuseExists(prepared)
  const isRead = prepared.kind === 'read'
  return { prepared, tableName: isRead ? prepared.select.statement.target.names[0]! : prepared.write.tableName }
}

/** A statement of a batch with the one item that it is of. */
export function locateBatchStatement(engine: Engine, prepared: Prepared, given: BatchStatementRequest): BatchStatement {
  if (prepared.kind === 'read') return readBatchRead(engine, prepared.select)
  const { write } = prepared
  const table = findTable(engine, write.tableName)
  const action = write.action(table, 'statement', given.ReturnValuesOnConditionCheckFailure)
  return { kind: 'write', table, action, prepared: write, key: keyWritten(engine, action) }
}

/** What keeps an item from being looked up is told once the others have been looked at. */
function keyWritten(engine: Engine, action: Action): string | undefined {
  try {
    return action.locate(engine).key
  } catch (error) {
    if (error instanceof ServiceError) return undefined
    throw error
  }
}

const NO_KEY = 'Select statements within BatchExecuteStatement must specify the primary key in the where clause.'

function readBatchRead(engine: Engine, select: PreparedSelect): BatchRead {
  const { table, place } = locateSelected(engine, select, () => validation(NO_KEY), true)
  return { kind: 'read', table, place, projection: select.projection }
}

/** The one item that a SELECT in a batch or a transaction names, by its key and by nothing else. */
export function locateSelected(
  engine: Engine,
  { statement, where, projection }: PreparedSelect,
  noKey: () => ServiceError,
  ownWords: boolean,
): { table: Table; place: Place } {
  const [tableName, indexName] = statement.target.names as [string, string?]
  const table = findTable(engine, tableName)
  if (!where || indexName !== undefined || asksMore(table.keys, where, isEqualToOne)) throw noKey()
  const key = keyNamed(table, where, noKey)
  if (ownWords) for (const part of [...table.keys.partition, ...table.keys.sort]) checkKeyValue(part, key[part.name]!)
  return { table, place: locateKey(engine, tableName, key, projection) }
}

function keyNamed({ keys }: Table, where: NonNullable<PreparedSelect['where']>, noKey: () => ServiceError) {
  try {
    return writtenKey(keys, where, isEqualToOne)
  } catch (error) {
    throw error instanceof ServiceError ? noKey() : error
  }
}

/** All read or all write, and no item twice. What failed by itself takes no part. */
export function checkBatch(statements: readonly BatchStatement[]): void {
  const reads = statements.filter(({ kind }) => kind === 'read').length
  if (reads > 0 && reads < statements.length)
    throw validation('Read and write requests together in the same batch is not supported.')
  const keys = statements.map(one => [one.table.name, one.kind === 'read' ? one.place.key : one.key] as const)
  refuseDuplicateKeys(keys.filter(([, key]) => key !== undefined).map(([name, key]) => `${name}/${key}`))
}
