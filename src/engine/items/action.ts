import type { Item, Key } from '../../dynamodb/attribute-value.js'
import { TRANSACT_WRITE_FACTOR, writeUnits } from '../../dynamodb/capacity.js'
import type { ReturnValuesOnConditionCheckFailure } from '../../dynamodb/operations/conditions.js'
import type { Units } from '../capacity/consumed.js'
import type { Engine } from '../engine.js'
import { ServiceError } from '../errors.js'
import type { Condition } from '../expressions/condition.js'
import { maintainIndexes } from '../indexes/maintain.js'
import { checkKey } from '../keys/check.js'
import { encodeKey } from '../keys/schema.js'
import { findTable } from '../tables/find.js'
import type { Table } from '../tables/table.js'
import type { Stored } from '../values/stored.js'

/**
 * One write, in three steps, so that single writes, batches and transactions share all of it: an action is read from
 * the request alone, planned against the state (which may refuse it), and carried out (which may not fail).
 */
export interface Action {
  readonly tableName: string
  plan(engine: Engine): PlannedWrite
}

export interface PlannedWrite {
  readonly table: Table
  readonly key: string
  readonly before: Stored | undefined
  readonly after: Stored | undefined
}

/** What every action of a single item may ask for. */
export interface Guard {
  readonly condition: Condition | undefined
  readonly onFailure: ReturnValuesOnConditionCheckFailure | undefined
}

export function checkCondition(guard: Guard, before: Stored | undefined): void {
  if (!guard.condition || guard.condition.test(before?.item ?? NO_ITEM)) return
  const details = guard.onFailure === 'ALL_OLD' && before ? { Item: before.answer() } : {}
  throw new ServiceError('ConditionalCheckFailedException', 'The conditional request failed', details)
}

const NO_ITEM: Item = Object.freeze({})

/** Where a key given alone points, and what is there. */
export function locate(
  engine: Engine,
  tableName: string,
  key: Key,
): { table: Table; key: string; before: Stored | undefined } {
  const table = findTable(engine, tableName)
  checkKey(table.keys, key)
  const encoded = encodeKey(table.keys, key)
  return { table, key: encoded, before: table.space.get(encoded) }
}

/** Writes the item and its index entries, and tells what that took. */
export function carryOut({ table, key, before, after }: PlannedWrite): Units {
  const units = { table: writeUnits(Math.max(before?.sizeBytes ?? 0, after?.sizeBytes ?? 0)), indexes: undefined }
  if (before === after) return units
  if (after) table.space.put(key, after)
  else table.space.remove(key)
  table.itemCount += (after ? 1 : 0) - (before ? 1 : 0)
  table.sizeBytes += (after?.sizeBytes ?? 0) - (before?.sizeBytes ?? 0)
  return { table: units.table, indexes: maintainIndexes(table, before, after) }
}

/** The same in a transaction: twice the units on the table, single on the indexes. */
export function transactional(units: Units): Units {
  return { table: units.table * TRANSACT_WRITE_FACTOR, indexes: units.indexes }
}
