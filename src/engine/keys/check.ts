import { type AttributeValue, type Item, type Key, typeOf } from '../../dynamodb/attribute-value.js'
import { PARTITION_KEY_BYTES, SORT_KEY_BYTES } from '../../dynamodb/limits.js'
import { valueBytes } from '../../dynamodb/size.js'
import { invalidParameter, KeyError, type ServiceError, validation } from '../errors.js'
import type { Table } from '../tables/table.js'
import { attribute } from '../values/compare.js'
import { emptyKey, emptyKind } from './empty.js'
import type { KeyAttribute, KeySchema } from './schema.js'

export function keyMismatch(): ServiceError {
  return validation('The provided key element does not match the schema')
}

/** A key given alone: exactly the key attributes, of the declared types. */
export function checkKey(schema: KeySchema, key: Key): void {
  let names = 0
  for (const _ in key) names++
  if (names !== schema.partition.length + schema.sort.length) throw keyMismatch()
  checkKeyAttributes(schema, key, keyMismatch, keyMismatch)
}

/** The key within an item to be put. */
export function checkItemKey(schema: KeySchema, item: Item): void {
  checkKeyAttributes(schema, item, missingKey, wrongKeyType)
}

type Complaint = (part: KeyAttribute, value: AttributeValue) => ServiceError

function checkKeyAttributes(schema: KeySchema, item: Item, missing: Complaint, wrongType: Complaint): void {
  for (const part of schema.partition)
    if (checkPart(part, item, missing, wrongType) > PARTITION_KEY_BYTES) throw keyTooLong('partition')
  for (const part of schema.sort)
    if (checkPart(part, item, missing, wrongType) > SORT_KEY_BYTES) throw keyTooLong('sort')
}

function checkPart(part: KeyAttribute, item: Item, missing: Complaint, wrongType: Complaint): number {
  const value = attribute(item, part.name)
  if (value === undefined) throw missing(part, NOTHING)
  if (value[part.type] === undefined) throw wrongType(part, value)
  const empty = emptyKind(value)
  if (empty) throw emptyKey(part.name, empty)
  return valueBytes(value)
}

const NOTHING: AttributeValue = { NULL: true }

function missingKey(part: KeyAttribute): ServiceError {
  return invalidParameter(`Missing the key ${part.name} in the item`)
}

function wrongKeyType(part: KeyAttribute, value: AttributeValue): ServiceError {
  return invalidParameter(`Type mismatch for key ${part.name} expected: ${part.type} actual: ${typeOf(value)}`)
}

export function keyTooLong(role: 'partition' | 'sort'): ServiceError {
  return role === 'partition'
    ? new KeyError(`Size of hashkey has exceeded the maximum size limit of${PARTITION_KEY_BYTES} bytes`)
    : new KeyError(`Aggregated size of all range keys has exceeded the size limit of ${SORT_KEY_BYTES} bytes`)
}

/** No expression can reach into a key, which is a scalar: not the table's, nor any index's. */
export function checkScalarKeys(table: Table, nested: ReadonlySet<string> | undefined): void {
  if (!nested || nested.size === 0) return
  refuseNested(table.keys, nested, 'Key')
  for (const { keys } of table.indexes) refuseNested(keys, nested, 'IndexKey')
}

function refuseNested({ partition, sort }: KeySchema, nested: ReadonlySet<string>, label: string): void {
  for (const { name } of [...partition, ...sort])
    if (nested.has(name))
      throw validation(
        `Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: ${label}: ${name}`,
      )
}
