import type { Item, Key } from '../../dynamodb/attribute-value.js'
import { validation } from '../errors.js'
import { encodeIndexKey, encodeKey, type KeyAttribute, type KeySchema } from '../keys/schema.js'
import type { Space } from '../keyvalues/port.js'
import { findIndex } from '../tables/find.js'
import type { Index, Table } from '../tables/table.js'
import { copyBinaries } from '../values/binary.js'
import { setMember } from '../values/maps.js'
import type { Stored } from '../values/stored.js'

/** What a query or a scan reads: a table or one of its indexes. */
export interface Source {
  readonly table: Table
  readonly index: Index | undefined
  readonly keys: KeySchema
  readonly space: Space<Stored>
}

export function sourceOf(
  table: Table,
  indexName: string | undefined,
  consistentRead: boolean | undefined,
  operation: 'Query' | 'Scan',
): Source {
  if (indexName === undefined || indexName === null)
    return { table, index: undefined, keys: table.keys, space: table.space }
  if (table.vectorIndexes.some(({ name }) => name === indexName))
    throw consistentRead && operation === 'Query' ? notConsistent() : notRead(operation)
  const index = findIndex(table, indexName)
  if (index.kind === 'global' && consistentRead) throw notConsistent()
  return { table, index, keys: index.keys, space: index.space }
}

const notConsistent = () => validation('Consistent reads are not supported on global secondary indexes')

/** What only searches read. The service ends one of the two sentences with a stop. */
export const notRead = (operation: 'Query' | 'Scan') =>
  validation(`${operation} operation not supported on this index type${operation === 'Query' ? '.' : ''}`)

/** The attributes that tell where a page ended: the table's key, then what an index adds. */
export function positionAttributes({ table, index }: Source): KeyAttribute[] {
  const attributes = [...table.keys.partition, ...table.keys.sort]
  if (index)
    for (const part of [...index.keys.partition, ...index.keys.sort])
      if (!attributes.some(known => known.name === part.name)) attributes.push(part)
  return attributes
}

export function positionOf(source: Source, stored: Stored): Key {
  const key: Item = {}
  for (const { name } of positionAttributes(source)) setMember(key, name, stored.item[name]!)
  return stored.hasBinary ? copyBinaries(key) : key
}

export function encodePosition({ table, index, keys }: Source, position: Key): string {
  return index ? encodeIndexKey(keys, table.keys, position) : encodeKey(keys, position)
}

/** Whether a partition holds one item at most. A partition of an index may hold several entries with equal keys. */
export function isSingleItem({ index, keys }: Source): boolean {
  return !index && keys.sort.length === 0
}
