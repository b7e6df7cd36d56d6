import type { ReturnValue } from '../../dynamodb/operation-types.js'
import { countValueBytes } from '../../dynamodb/size.js'
import { RequestError, ServiceError, validationError } from '../errors.js'
import type { ConditionExpression } from '../expressions/condition.js'
import type { UpdateExpression } from '../expressions/updates/update.js'
import { newCheckAction, newDeleteAction } from '../items/delete-action.js'
import { checkItemSize, newPutAction } from '../items/put-action.js'
import { newUpdateAction } from '../items/update-action.js'
import type { WriteAction, WriteGuard } from '../items/write-action.js'
import { keyMismatchError } from '../keys/check-key.js'
import type { Table } from '../tables/table.js'
import { attributeOf } from '../values/compare-values.js'
import type { StoredItem } from '../values/stored-item.js'
import { checkStatementTarget, checkWrittenTarget } from './check-target.js'
import { resolveItem, type StatementParameters } from './literal-values.js'
import type {
  DeleteStatement,
  ExistsStatement,
  InsertStatement,
  PartiqlStatement,
  PartiqlTarget,
  UpdateStatement,
} from './parsing/syntax.js'
import { prepareSelect } from './run-select.js'
import {
  checkKeyValueType,
  checkScalarKeyValue,
  hasConditionBeyondKey,
  resolveStatementKey,
  STATEMENT_KEY_ERRORS,
  type StatementKeyErrors,
  wrongStatementKeyTypeError,
} from './statement-key.js'
import { toUpdateExpression } from './update-changes.js'
import { toWhereClause, type WhereClause } from './where-clause.js'

/** The wording of key errors: that of statements, or that of the writes that a transaction derives from them. */
type ErrorWording = 'statement' | 'write'

/** A parsed write statement, with all checks that do not need the table. */
export interface PreparedWrite {
  readonly type: 'insert' | 'update' | 'delete' | 'exists'
  readonly tableName: string
  readonly returning: ReturnValue | undefined
  readonly update: UpdateExpression | undefined
  /** The contribution to the size of a transaction. */
  readonly sizeBytes: number
  /** Returns whether the statement has a condition other than the key. */
  hasConditionBeyondKey(table: Table): boolean
  newAction(table: Table, words: ErrorWording, onFailure: WriteGuard['onFailure']): WriteAction
}

export type WriteStatement = Exclude<PartiqlStatement, { type: 'select' }>

export function prepareWrite(statement: WriteStatement, parameters: StatementParameters): PreparedWrite {
  switch (statement.type) {
    case 'insert':
      return prepareInsert(statement, parameters)
    case 'update':
      return prepareUpdate(statement, parameters)
    case 'delete':
      return prepareDelete(statement, parameters)
    default:
      return prepareExists(statement, parameters)
  }
}

const parameterBytesOf = (parameters: StatementParameters) =>
  parameters.reduce((sum, value) => sum + countValueBytes(value), 0)

const tableNameOf = ({ names }: PartiqlTarget) => names[0]!

function prepareInsert({ target, item, returning }: InsertStatement, parameters: StatementParameters): PreparedWrite {
  if (target.names.length > 1)
    throw validationError('FROM clause may only contain a single table name in data manipulation statements')
  checkStatementTarget(target)
  if (returning) throw validationError('RETURNING is not supported in INSERT')
  const stored = resolveItem(item, parameters)
  const put = newPutAction(tableNameOf(target), stored, { condition: undefined, onFailure: undefined })
  return {
    type: 'insert',
    tableName: tableNameOf(target),
    returning: undefined,
    update: undefined,
    sizeBytes: stored.sizeBytes,
    hasConditionBeyondKey: () => false,
    newAction(table, words) {
      if (words === 'statement') checkInsertedKey(table, stored)
      checkItemSize(stored)
      return {
        locate: put.locate,
        plan(place) {
          if (place.before) throw new ServiceError('DuplicateItemException', 'Duplicate primary key exists in table')
          return put.plan(place)
        },
      }
    },
  }
}

function checkInsertedKey({ keys }: Table, { item }: StoredItem): void {
  const parts = [...keys.partition, ...keys.sort]
  for (const { name, type } of parts) {
    const value = attributeOf(item, name)
    if (value !== undefined && value[type] === undefined) throw wrongStatementKeyTypeError(name)
  }
  for (const { name } of parts)
    if (attributeOf(item, name) === undefined)
      throw validationError(`Key attribute should be present in the item: Key ${name}`)
}

const RETURN_VALUES: Readonly<Record<string, ReturnValue>> = {
  'ALL OLD': 'ALL_OLD',
  'ALL NEW': 'ALL_NEW',
  'MODIFIED OLD': 'UPDATED_OLD',
  'MODIFIED NEW': 'UPDATED_NEW',
}

function prepareUpdate(statement: UpdateStatement, parameters: StatementParameters): PreparedWrite {
  const { target, returning } = statement
  checkWrittenTarget(target)
  // Errors of the WHERE clause are reported before errors of the changes.
  const where = statement.where && toWhereClause(statement.where, parameters)
  const update = toUpdateExpression(statement.changes, parameters)
  return {
    type: 'update',
    tableName: tableNameOf(target),
    returning: returning && RETURN_VALUES[returning],
    update,
    sizeBytes: parameterBytesOf(parameters),
    hasConditionBeyondKey: table => where !== undefined && hasConditionBeyondKey(table.keys, where),
    newAction(table, words, onFailure) {
      // The whole clause is the condition. A missing item has no key, so the condition fails and no item is created.
      const guard = { condition: where?.condition, onFailure }
      return newUpdateAction(tableNameOf(target), resolveKey(table, where, words), update, guard)
    },
  }
}

function prepareDelete(statement: DeleteStatement, parameters: StatementParameters): PreparedWrite {
  const { target, returning } = statement
  checkWrittenTarget(target)
  if (returning && returning !== 'ALL OLD')
    throw validationError(
      `Invalid returning clause: RETURNING ${returning} *. Only RETURNING ALL OLD * is allowed in DELETE statements.`,
    )
  const where = statement.where && toWhereClause(statement.where, parameters)
  return {
    type: 'delete',
    tableName: tableNameOf(target),
    returning: returning && 'ALL_OLD',
    update: undefined,
    sizeBytes: parameterBytesOf(parameters),
    hasConditionBeyondKey: table => where !== undefined && hasConditionBeyondKey(table.keys, where),
    newAction(table, words, onFailure) {
      const key = resolveKey(table, where, words)
      return newDeleteAction(tableNameOf(target), key, {
        condition: where && withMissingAllowed(where.condition),
        onFailure,
      })
    },
  }
}

/** Wraps a condition so that it holds for a missing item. */
function withMissingAllowed(condition: ConditionExpression): ConditionExpression {
  return {
    names: condition.names,
    nestedNames: condition.nestedNames,
    test(item) {
      for (const _ in item) return condition.test(item)
      return true
    },
  }
}

/** EXISTS uses the first of several equalities on the same key attribute. */
const EXISTS_KEY_ERRORS = { newMissingError: () => new RequestError(INVALID_EXISTS), newDuplicateError: undefined }
const INVALID_EXISTS = 'EXISTS() must contain a single item read with additional condition'

function prepareExists({ select }: ExistsStatement, parameters: StatementParameters): PreparedWrite {
  const { where } = prepareSelect(select, parameters)
  if (select.target.names.length > 1) throw new RequestError(INVALID_EXISTS)
  const tableName = tableNameOf(select.target)
  return {
    type: 'exists',
    tableName,
    returning: undefined,
    update: undefined,
    sizeBytes: parameterBytesOf(parameters),
    hasConditionBeyondKey: table => where !== undefined && hasConditionBeyondKey(table.keys, where),
    newAction(table, words, onFailure) {
      if (!where || !hasConditionBeyondKey(table.keys, where)) throw new RequestError(INVALID_EXISTS)
      return newCheckAction(tableName, resolveKey(table, where, words, EXISTS_KEY_ERRORS), {
        condition: where.condition,
        onFailure,
      })
    },
  }
}

const KEY_ERRORS = {
  statement: STATEMENT_KEY_ERRORS,
  write: { ...STATEMENT_KEY_ERRORS, newMissingError: keyMismatchError },
}

function resolveKey(
  { keys }: Table,
  where: WhereClause | undefined,
  wording: ErrorWording,
  faults: StatementKeyErrors = KEY_ERRORS[wording],
) {
  const key = resolveStatementKey(keys, where, faults)
  for (const part of [...keys.partition, ...keys.sort])
    if (wording === 'statement') checkKeyValueType(part, key[part.name]!)
    else checkScalarKeyValue(part.name, key[part.name]!)
  return key
}
