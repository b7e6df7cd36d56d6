import type { Item, Key } from '../../dynamodb/attribute-value.js'
import { validationError } from '../errors.js'
import { encodeIndexKey, encodeKey, type KeyAttribute, type KeySchema } from '../keys/key-schema.js'
import type { Space } from '../keyvalues/port.js'
import { findIndex } from '../tables/find-table.js'
import type { Table, TableIndex } from '../tables/table.js'
import { setMember } from '../values/attribute-maps.js'
import { copyBinaries } from '../values/binaries.js'
import type { StoredItem } from '../values/stored-item.js'

/** The source of a query or scan: a table or one of its indexes. */
export interface ReadSource {
  readonly table: Table
  readonly index: TableIndex | undefined
  readonly keys: KeySchema
  readonly space: Space<StoredItem>
}

export function resolveReadSource(
  table: Table,
  indexName: string | undefined,
  consistentRead: boolean | undefined,
  operation: 'Query' | 'Scan',
): ReadSource {
  if (indexName === undefined || indexName === null)
    return { table, index: undefined, keys: table.keys, space: table.space }
  if (table.vectorIndexes.some(({ name }) => name === indexName))
    throw consistentRead && operation === 'Query' ? inconsistentIndexError() : unsupportedIndexTypeError(operation)
  const index = findIndex(table, indexName)
  if (index.kind === 'global' && consistentRead) throw inconsistentIndexError()
  return { table, index, keys: index.keys, space: index.space }
}

const inconsistentIndexError = () => validationError('Consistent reads are not supported on global secondary indexes')

/**
 * The error for reading a vector index, which only supports searches. The service ends one of the two messages with a
 * period.
 */
export const unsupportedIndexTypeError = (operation: 'Query' | 'Scan') =>
  validationError(`${operation} operation not supported on this index type${operation === 'Query' ? '.' : ''}`)

/** Returns the attributes of a page position: the table key, then further attributes of the index key. */
export function positionAttributesOf({ table, index }: ReadSource): KeyAttribute[] {
  const attributes = [...table.keys.partition, ...table.keys.sort]
  if (index)
    for (const part of [...index.keys.partition, ...index.keys.sort])
      if (!attributes.some(known => known.name === part.name)) attributes.push(part)
  return attributes
}

export function positionKeyOf(source: ReadSource, stored: StoredItem): Key {
  const key: Item = {}
  for (const { name } of positionAttributesOf(source)) setMember(key, name, stored.item[name]!)
  return stored.hasBinary ? copyBinaries(key) : key
}

export function encodePositionKey({ table, index, keys }: ReadSource, position: Key): string {
  return index ? encodeIndexKey(keys, table.keys, position) : encodeKey(keys, position)
}

/** Returns whether a partition has at most one item. In an index, several entries can have equal keys. */
export function hasSingleItemPartitions({ index, keys }: ReadSource): boolean {
  return !index && keys.sort.length === 0
}
