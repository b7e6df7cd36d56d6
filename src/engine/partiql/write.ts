import type { ReturnValue } from '../../dynamodb/operations/items.js'
import { valueBytes } from '../../dynamodb/size.js'
import { RequestError, ServiceError, validation } from '../errors.js'
import type { Condition } from '../expressions/condition.js'
import type { Update } from '../expressions/update.js'
import type { Action, Guard } from '../items/action.js'
import { checkAction, deleteAction } from '../items/delete.js'
import { checkItemBytes, putAction } from '../items/put.js'
import { updateAction } from '../items/update.js'
import { keyMismatch } from '../keys/check.js'
import type { Table } from '../tables/table.js'
import { attribute } from '../values/compare.js'
import type { Stored } from '../values/stored.js'
import { readChanges } from './changes.js'
import {
  asksMore,
  checkIsKey,
  checkKeyValue,
  type KeyFaults,
  STATEMENT_FAULTS,
  writtenKey,
  wrongKey,
} from './key-values.js'
import { type Parameters, statedItem } from './literals.js'
import { prepareSelect } from './select.js'
import type { DeleteStatement, ExistsStatement, InsertStatement, Statement, Target, UpdateStatement } from './syntax.js'
import { checkTarget, checkWrittenTarget } from './target.js'
import { readWhere, type Where } from './where.js'

/** Whose words a wrong key is refused in: a statement's own, or those of the write that a transaction makes of it. */
type Words = 'statement' | 'write'

/** A statement that writes, read as far as that can be done without its table. */
export interface PreparedWrite {
  readonly type: 'insert' | 'update' | 'delete' | 'exists'
  readonly tableName: string
  readonly returning: ReturnValue | undefined
  readonly update: Update | undefined
  /** What it counts towards the size of a transaction. */
  readonly sizeBytes: number
  /** Whether it asks anything of its item beside the key. */
  asksMore(table: Table): boolean
  action(table: Table, words: Words, onFailure: Guard['onFailure']): Action
}

export type WriteStatement = Exclude<Statement, { type: 'select' }>

export function prepareWrite(statement: WriteStatement, parameters: Parameters): PreparedWrite {
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

const givenBytes = (parameters: Parameters) => parameters.reduce((sum, value) => sum + valueBytes(value), 0)

const nameOf = ({ names }: Target) => names[0]!

function prepareInsert({ target, item, returning }: InsertStatement, parameters: Parameters): PreparedWrite {
  if (target.names.length > 1)
    throw validation('FROM clause may only contain a single table name in data manipulation statements')
  checkTarget(target)
  if (returning) throw validation('RETURNING is not supported in INSERT')
  const stored = statedItem(item, parameters)
  const put = putAction(nameOf(target), stored, { condition: undefined, onFailure: undefined })
  return {
    type: 'insert',
    tableName: nameOf(target),
    returning: undefined,
    update: undefined,
    sizeBytes: stored.sizeBytes,
    asksMore: () => false,
    action(table, words) {
      if (words === 'statement') checkInserted(table, stored)
      checkItemBytes(stored)
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

function checkInserted({ keys }: Table, { item }: Stored): void {
  const parts = [...keys.partition, ...keys.sort]
  for (const { name, type } of parts) {
    const value = attribute(item, name)
    if (value !== undefined && value[type] === undefined) throw wrongKey(name)
  }
  for (const { name } of parts)
    if (attribute(item, name) === undefined)
      throw validation(`Key attribute should be present in the item: Key ${name}`)
}

const UPDATED: Readonly<Record<string, ReturnValue>> = {
  'ALL OLD': 'ALL_OLD',
  'ALL NEW': 'ALL_NEW',
  'MODIFIED OLD': 'UPDATED_OLD',
  'MODIFIED NEW': 'UPDATED_NEW',
}

function prepareUpdate(statement: UpdateStatement, parameters: Parameters): PreparedWrite {
  const { target, returning } = statement
  checkWrittenTarget(target)
  // What is wrong with the clause is told before what is wrong with the changes.
  const where = statement.where && readWhere(statement.where, parameters)
  const update = readChanges(statement.changes, parameters)
  return {
    type: 'update',
    tableName: nameOf(target),
    returning: returning && UPDATED[returning],
    update,
    sizeBytes: givenBytes(parameters),
    asksMore: table => where !== undefined && asksMore(table.keys, where),
    action(table, words, onFailure) {
      // The whole clause is the condition: what is not there has no key, and so is not made.
      const guard = { condition: where?.condition, onFailure }
      return updateAction(nameOf(target), keyOf(table, where, words), update, guard)
    },
  }
}

function prepareDelete(statement: DeleteStatement, parameters: Parameters): PreparedWrite {
  const { target, returning } = statement
  checkWrittenTarget(target)
  if (returning && returning !== 'ALL OLD')
    throw validation(
      `Invalid returning clause: RETURNING ${returning} *. Only RETURNING ALL OLD * is allowed in DELETE statements.`,
    )
  const where = statement.where && readWhere(statement.where, parameters)
  return {
    type: 'delete',
    tableName: nameOf(target),
    returning: returning && 'ALL_OLD',
    update: undefined,
    sizeBytes: givenBytes(parameters),
    asksMore: table => where !== undefined && asksMore(table.keys, where),
    action(table, words, onFailure) {
      const key = keyOf(table, where, words)
      return deleteAction(nameOf(target), key, { condition: where && unlessMissing(where.condition), onFailure })
    },
  }
}

/** Nothing is asked of an item that is not there. */
function unlessMissing(condition: Condition): Condition {
  return {
    names: condition.names,
    nestedNames: condition.nestedNames,
    test(item) {
      for (const _ in item) return condition.test(item)
      return true
    },
  }
}

/** A check is of the item that the clause names first. */
const CHECK_FAULTS = { missing: () => new RequestError(NO_CHECK), twofold: undefined }
const NO_CHECK = 'EXISTS() must contain a single item read with additional condition'

function prepareExists({ select }: ExistsStatement, parameters: Parameters): PreparedWrite {
  const { where } = prepareSelect(select, parameters)
  if (select.target.names.length > 1) throw new RequestError(NO_CHECK)
  const tableName = nameOf(select.target)
  return {
    type: 'exists',
    tableName,
    returning: undefined,
    update: undefined,
    sizeBytes: givenBytes(parameters),
    asksMore: table => where !== undefined && asksMore(table.keys, where),
    action(table, words, onFailure) {
      if (!where || !asksMore(table.keys, where)) throw new RequestError(NO_CHECK)
      return checkAction(tableName, keyOf(table, where, words, CHECK_FAULTS), { condition: where.condition, onFailure })
    },
  }
}

const FAULTS = { statement: STATEMENT_FAULTS, write: { ...STATEMENT_FAULTS, missing: keyMismatch } }

function keyOf({ keys }: Table, where: Where | undefined, words: Words, faults: KeyFaults = FAULTS[words]) {
  const key = writtenKey(keys, where, faults)
  for (const part of [...keys.partition, ...keys.sort])
    if (words === 'statement') checkKeyValue(part, key[part.name]!)
    else checkIsKey(part.name, key[part.name]!)
  return key
}
