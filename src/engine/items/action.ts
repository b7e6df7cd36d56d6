import type { Item, Key } from '../../dynamodb/attribute-value.js'
import { TRANSACT_WRITE_FACTOR, writeUnits } from '../../dynamodb/capacity.js'
import type { ReturnConsumedCapacity } from '../../dynamodb/operations/capacity.js'
import type { ReturnValuesOnConditionCheckFailure } from '../../dynamodb/operations/conditions.js'
import { noteChange } from '../backups/recovery.js'
import type { Units } from '../capacity/consumed.js'
import type { Engine } from '../engine.js'
import { ServiceError } from '../errors.js'
import type { Condition } from '../expressions/condition.js'
import { maintainIndexes } from '../indexes/maintain.js'
import { checkKey, checkScalarKeys } from '../keys/check.js'
import { encodeKey } from '../keys/schema.js'
import { findTable } from '../tables/find.js'
import type { Table } from '../tables/table.js'
import type { Stored } from '../values/stored.js'
import { billedBytes } from '../vectors/billed.js'
import { maintainVectorIndexes } from '../vectors/maintain.js'

/**
 * One write, in steps, so that single writes, batches and transactions share all of it: an action is read from the
 * request alone, located in its table, planned against what is there (which may refuse it), and carried out (which may
 * not fail).
 */
export interface Action {
  locate(engine: Engine): Place
  plan(place: Place): PlannedWrite
}

/** Where a key lies, and what is there. */
export interface Place {
  readonly table: Table
  readonly key: string
  readonly before: Stored | undefined
}

export interface PlannedWrite extends Place {
  readonly after: Stored | undefined
}

/** An expression, as far as it reaches into attributes. */
interface Reaching {
  readonly nestedNames: ReadonlySet<string>
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

export const NO_ITEM: Item = Object.freeze({})

/** The place of a key that is given alone. No expression of the request may reach into it. */
export function locateKey(engine: Engine, tableName: string, key: Key, expression?: Reaching): Place {
  const table = findTable(engine, tableName)
  checkKey(table.keys, key)
  checkScalarKeys(table, expression?.nestedNames)
  const encoded = encodeKey(table.keys, key)
  return { table, key: encoded, before: table.space.get(encoded) }
}

interface Circumstances {
  /** When it is done, where that is not only now: what is written together is of one moment. */
  readonly atMs?: number
  /** Whether the time of the item is up. */
  readonly expired?: boolean
}

/** Writes the item and its index entries, and tells what that took. What the indexes took is found only where asked. */
export function carryOut(write: PlannedWrite, metered: boolean, { atMs, expired = false }: Circumstances = {}): Units {
  const { table, key, before, after } = write
  const oldBytes = billedBytes(table, before)
  const newBytes = billedBytes(table, after)
  const units = writeUnits(Math.max(oldBytes, newBytes))
  if (before === after) return { table: units, indexes: undefined }
  if (table.recovery !== undefined) noteChange(table, table.recovery, { key, before, atMs })
  if (after) table.space.put(key, after)
  else table.space.remove(key)
  table.itemCount += (after ? 1 : 0) - (before ? 1 : 0)
  table.sizeBytes += newBytes - oldBytes
  if (table.stream !== undefined) table.stream.record(key, { before, after, expired })
  if (table.expiry !== undefined) table.expiry.follow(key, before, after)
  const indexes = maintainIndexes(table, key, before, after, metered)
  if (table.vectorIndexes.length === 0) return { table: units, indexes }
  return { table: units, indexes, vectors: maintainVectorIndexes(table, key, before, after) }
}

/** Whether a request wants to know what it took. */
export function isMetered(request: { ReturnConsumedCapacity?: ReturnConsumedCapacity | undefined }): boolean {
  return request.ReturnConsumedCapacity === 'TOTAL' || request.ReturnConsumedCapacity === 'INDEXES'
}

/** The same in a transaction: twice the units on the table, single on the indexes. */
export function transactional(units: Units): Units {
  return { ...units, table: units.table * TRANSACT_WRITE_FACTOR }
}
