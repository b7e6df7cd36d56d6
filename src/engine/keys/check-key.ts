import { type AttributeValue, attributeTypeOf, type Item, type Key } from '../../dynamodb/attribute-value.js'
import { PARTITION_KEY_BYTES, SORT_KEY_BYTES } from '../../dynamodb/limits.js'
import { countValueBytes } from '../../dynamodb/size.js'
import { invalidParameterError, KeyError, type ServiceError, validationError } from '../errors.js'
import type { Table } from '../tables/table.js'
import { attributeOf } from '../values/compare-values.js'
import { emptyKeyError, emptyKindOf } from './empty-keys.js'
import type { KeyAttribute, KeySchema } from './key-schema.js'

export function keyMismatchError(): ServiceError {
  return validationError('The provided key element does not match the schema')
}

/** Checks a key: exactly the key attributes with the declared types. */
export function checkKey(schema: KeySchema, key: Key): void {
  let names = 0
  for (const _ in key) names++
  if (names !== schema.partition.length + schema.sort.length) throw keyMismatchError()
  checkKeyAttributes(schema, key, keyMismatchError, keyMismatchError)
}

/** Checks the key attributes of an item that is put. */
export function checkItemKey(schema: KeySchema, item: Item): void {
  checkKeyAttributes(schema, item, missingKeyError, wrongKeyTypeError)
}

type NewKeyError = (part: KeyAttribute, value: AttributeValue) => ServiceError

function checkKeyAttributes(schema: KeySchema, item: Item, missing: NewKeyError, wrongType: NewKeyError): void {
  for (const part of schema.partition)
    if (checkKeyPart(part, item, missing, wrongType) > PARTITION_KEY_BYTES) throw keyTooLongError('partition')
  for (const part of schema.sort)
    if (checkKeyPart(part, item, missing, wrongType) > SORT_KEY_BYTES) throw keyTooLongError('sort')
}

function checkKeyPart(part: KeyAttribute, item: Item, missing: NewKeyError, wrongType: NewKeyError): number {
  const value = attributeOf(item, part.name)
  if (value === undefined) throw missing(part, ABSENT_VALUE)
  if (value[part.type] === undefined) throw wrongType(part, value)
  const empty = emptyKindOf(value)
  if (empty) throw emptyKeyError(part.name, empty)
  return countValueBytes(value)
}

const ABSENT_VALUE: AttributeValue = { NULL: true }

function missingKeyError(part: KeyAttribute): ServiceError {
  return invalidParameterError(`Missing the key ${part.name} in the item`)
}

function wrongKeyTypeError(part: KeyAttribute, value: AttributeValue): ServiceError {
  return invalidParameterError(
    `Type mismatch for key ${part.name} expected: ${part.type} actual: ${attributeTypeOf(value)}`,
  )
}

export function keyTooLongError(role: 'partition' | 'sort'): ServiceError {
  return role === 'partition'
    ? new KeyError(`Size of hashkey has exceeded the maximum size limit of${PARTITION_KEY_BYTES} bytes`)
    : new KeyError(`Aggregated size of all range keys has exceeded the size limit of ${SORT_KEY_BYTES} bytes`)
}

/** Key attributes of tables and indexes are scalars, so no path can go into them. */
export function checkScalarKeys(table: Table, nested: ReadonlySet<string> | undefined): void {
  if (!nested || nested.size === 0) return
  checkNotNested(table.keys, nested, 'Key')
  for (const { keys } of table.indexes) checkNotNested(keys, nested, 'IndexKey')
}

function checkNotNested({ partition, sort }: KeySchema, nested: ReadonlySet<string>, label: string): void {
  for (const { name } of [...partition, ...sort])
    if (nested.has(name))
      throw validationError(
        `Key attributes must be scalars; list random access '[]' and map lookup '.' are not allowed: ${label}: ${name}`,
      )
}
