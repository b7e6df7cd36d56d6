import { type AttributeType, type AttributeValue, type Item, typeOf } from '../../dynamodb/attribute-value.js'
import { PARTITION_KEY_BYTES, SORT_KEY_BYTES } from '../../dynamodb/limits.js'
import { valueBytes } from '../../dynamodb/size.js'
import { invalidParameter, type ServiceError, validation } from '../errors.js'
import type { Index, Table } from '../tables/table.js'
import { attribute, equalValues } from '../values/compare.js'
import { checkVectors } from '../vectors/check.js'
import { keyTooLong } from './check.js'
import { emptyIndexKey, emptyKind, emptyUpdatedIndexKey } from './empty.js'
import type { KeyAttribute } from './schema.js'

/**
 * The keys of indexes within an item, and its vectors: absent ones keep it out of the index, present ones must be right.
 * After an update only those that it changed are looked at.
 */
export function checkIndexKeys(table: Table, item: Item, before?: Item): void {
  refuseFirst(
    table.indexes,
    ({ name, keys }) =>
      indexPartComplaint(keys.partition, 'partition', name, item, before) ??
      indexPartComplaint(keys.sort, 'sort', name, item, before),
  )
  if (table.vectorIndexes.length > 0) checkVectors(table, item, before)
}

/** The same before any item is seen, of what an update says by itself about types. */
export function checkIndexKeyTypes(indexes: readonly Index[], types: ReadonlyMap<string, AttributeType>): void {
  if (types.size === 0) return
  refuseFirst(indexes, ({ name, keys }) => {
    for (const part of [...keys.partition, ...keys.sort]) {
      const type = types.get(part.name)
      if (type !== undefined && type !== part.type) return wrongIndexKeyType(part, type, name)
    }
    return undefined
  })
}

/** Of several wrong indexes the service names the first by name. */
function refuseFirst(indexes: readonly Index[], complaintOf: (index: Index) => ServiceError | undefined): void {
  let first: string | undefined
  let complaint: ServiceError | undefined
  for (const index of indexes) {
    if (first !== undefined && first <= index.name) continue
    const found = complaintOf(index)
    if (!found) continue
    complaint = found
    first = index.name
  }
  if (complaint) throw complaint
}

function indexPartComplaint(
  parts: readonly KeyAttribute[],
  role: 'partition' | 'sort',
  index: string,
  item: Item,
  before: Item | undefined,
): ServiceError | undefined {
  for (const part of parts) {
    const value = attribute(item, part.name)
    if (value === undefined || (before && isSame(attribute(before, part.name), value))) continue
    const found = indexKeyComplaint(part, value, index, before !== undefined)
    if (found) return found
    const size = valueBytes(value)
    if (size > (role === 'partition' ? PARTITION_KEY_BYTES : SORT_KEY_BYTES)) return keyTooLong(role)
  }
  return undefined
}

function isSame(before: AttributeValue | undefined, after: AttributeValue): boolean {
  return before !== undefined && equalValues(before, after)
}

function indexKeyComplaint(
  part: KeyAttribute,
  value: AttributeValue,
  index: string,
  updated: boolean,
): ServiceError | undefined {
  if (value[part.type] === undefined)
    return updated ? unsupportedIndexKeyType() : wrongIndexKeyType(part, typeOf(value), index)
  const empty = emptyKind(value)
  if (!empty) return undefined
  return updated ? emptyUpdatedIndexKey(empty) : emptyIndexKey(index, part.name, empty)
}

export function wrongIndexKeyType({ name, type }: KeyAttribute, actual: AttributeType, index: string): ServiceError {
  return invalidParameter(`Type mismatch for Index Key ${name} Expected: ${type} Actual: ${actual} IndexName: ${index}`)
}

/** Where the type came out of the item. */
function unsupportedIndexKeyType(): ServiceError {
  return validation('The update expression attempted to update the secondary index key to unsupported type')
}
