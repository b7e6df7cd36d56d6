import type { Item, Key } from '../../dynamodb/attribute-value.js'
import { countWriteUnits, TRANSACT_WRITE_FACTOR } from '../../dynamodb/capacity.js'
import type { ReturnConsumedCapacity, ReturnValuesOnConditionCheckFailure } from '../../dynamodb/operation-types.js'
import { logChange } from '../backups/recovery-log.js'
import type { OperationUnits } from '../capacity/consumed-capacity.js'
import type { Engine } from '../engine.js'
import { ServiceError } from '../errors.js'
import type { ConditionExpression } from '../expressions/condition.js'
import { maintainIndexes } from '../indexes/maintain-indexes.js'
import { checkKey, checkScalarKeys } from '../keys/check-key.js'
import { encodeKey } from '../keys/key-schema.js'
import { findTable } from '../tables/find-table.js'
import type { Table } from '../tables/table.js'
import type { StoredItem } from '../values/stored-item.js'
import { billedBytesOf } from '../vectors/billed-bytes.js'
import { maintainVectorIndexes } from '../vectors/maintain-vector-indexes.js'

/**
 * A write in steps that single writes, batches and transactions share. The action is parsed from the request, located
 * in its table, planned against the existing item, which may throw, and executed, which never throws.
 */
export interface WriteAction {
  locate(engine: Engine): ItemLocation
  plan(place: ItemLocation): PlannedWrite
}

/** The table and encoded key of an item, and the existing item. */
export interface ItemLocation {
  readonly table: Table
  readonly key: string
  readonly before: StoredItem | undefined
}

export interface PlannedWrite extends ItemLocation {
  readonly after: StoredItem | undefined
}

/** The nested paths of an expression. */
interface NestedAccess {
  readonly nestedNames: ReadonlySet<string>
}

/** The condition of a write, and the item to return when it fails. */
export interface WriteGuard {
  readonly condition: ConditionExpression | undefined
  readonly onFailure: ReturnValuesOnConditionCheckFailure | undefined
}

export function assertConditionHolds(guard: WriteGuard, before: StoredItem | undefined): void {
  if (!guard.condition || guard.condition.test(before?.item ?? EMPTY_ITEM)) return
  const details = guard.onFailure === 'ALL_OLD' && before ? { Item: before.toOutput() } : {}
  throw new ServiceError('ConditionalCheckFailedException', 'The conditional request failed', details)
}

export const EMPTY_ITEM: Item = Object.freeze({})

/** Locates an item by its key alone. Expressions of the request cannot have paths into key attributes. */
export function locateKey(engine: Engine, tableName: string, key: Key, expression?: NestedAccess): ItemLocation {
  const table = findTable(engine, tableName)
  checkKey(table.keys, key)
  checkScalarKeys(table, expression?.nestedNames)
  const encoded = encodeKey(table.keys, key)
  return { table, key: encoded, before: table.space.get(encoded) }
}

interface WriteContext {
  /** The time of the write, if several writes share one time, as in a transaction. */
  readonly atMs?: number
  /** Whether the item is removed because its time to live has passed. */
  readonly expired?: boolean
}

/**
 * Writes an item with its index entries and returns the consumed units. Units of indexes are only computed on request.
 */
export function executeWrite(
  write: PlannedWrite,
  isIndexMetered: boolean,
  { atMs, expired = false }: WriteContext = {},
): OperationUnits {
  const { table, key, before, after } = write
  const oldBytes = billedBytesOf(table, before)
  const newBytes = billedBytesOf(table, after)
  const units = countWriteUnits(Math.max(oldBytes, newBytes))
  if (before === after) return { table: units, indexes: undefined }
  if (table.recovery !== undefined) logChange(table, table.recovery, { key, before, atMs })
  if (after) table.space.put(key, after)
  else table.space.remove(key)
  table.itemCount += (after ? 1 : 0) - (before ? 1 : 0)
  table.sizeBytes += newBytes - oldBytes
  if (table.stream !== undefined) table.stream.record(key, { before, after, expired })
  if (table.expiry !== undefined) table.expiry.track(key, before, after)
  const indexes = maintainIndexes(table, key, before, after, isIndexMetered)
  if (table.vectorIndexes.length === 0) return { table: units, indexes }
  return { table: units, indexes, vectorBytes: maintainVectorIndexes(table, key, before, after) }
}

/** Returns whether a request asks for its consumed capacity. */
export function isCapacityRequested(request: { ReturnConsumedCapacity?: ReturnConsumedCapacity | undefined }): boolean {
  return request.ReturnConsumedCapacity === 'TOTAL' || request.ReturnConsumedCapacity === 'INDEXES'
}

/** Returns the units of the same write in a transaction: doubled for the table, unchanged for its indexes. */
export function toTransactionUnits(units: OperationUnits): OperationUnits {
  return { ...units, table: units.table * TRANSACT_WRITE_FACTOR }
}
