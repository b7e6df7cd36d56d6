import type { Key } from '../../dynamodb/attribute-value.js'
import type { BatchStatementRequest } from '../../dynamodb/operations/statements.js'
import type { Engine } from '../engine.js'
import { ServiceError, validation } from '../errors.js'
import type { Projection } from '../expressions/projection.js'
import { type Action, locateKey, type Place } from '../items/action.js'
import { allNamed, branchesOf } from '../partiql/branches.js'
import { asksMore, checkKeyValue, isEqualToOne, writtenKey } from '../partiql/key-values.js'
import { type Prepared, prepare } from '../partiql/prepare.js'
import { decomposed } from '../partiql/ranges.js'
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
  const { statement, projection } = select
  const tableName = statement.target.names[0]!
  const table = findTable(engine, tableName)
  const key = selectedKey(table, select, NO_KEY)
  for (const part of [...table.keys.partition, ...table.keys.sort]) checkKeyValue(part, key[part.name]!)
  return { kind: 'read', table, place: locateKey(engine, tableName, key, projection), projection }
}

/** The one item that a SELECT in a batch or a transaction names, by its key and by nothing else. */
export function selectedKey({ keys }: Table, { statement, where }: PreparedSelect, noKey: string): Key {
  const fault = () => validation(noKey)
  if (!where || statement.target.names.length > 1) throw fault()
  const [partition] = keys.partition
  const [sort] = keys.sort
  const branches = allNamed(branchesOf(where, partition!, sort) ?? [])
  if (branches) decomposed(branches, partition!, sort)
  if (asksMore(keys, where, isEqualToOne)) throw fault()
  return writtenKey(keys, where, { missing: fault, twofold: fault }, isEqualToOne)
}

/** All read or all write, and no item twice. What failed by itself takes no part. */
export function checkBatch(statements: readonly BatchStatement[]): void {
  const reads = statements.filter(({ kind }) => kind === 'read').length
  if (reads > 0 && reads < statements.length)
    throw validation('Read and write requests together in the same batch is not supported.')
  const keys = statements.map(one => [one.table.name, one.kind === 'read' ? one.place.key : one.key] as const)
  refuseDuplicateKeys(keys.filter(([, key]) => key !== undefined).map(([name, key]) => `${name}/${key}`))
}
