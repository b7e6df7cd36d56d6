import { type AttributeType, type AttributeValue, attributeTypeOf, type Item } from '../../dynamodb/attribute-value.js'
import { PARTITION_KEY_BYTES, SORT_KEY_BYTES } from '../../dynamodb/limits.js'
import { countValueBytes } from '../../dynamodb/size.js'
import { invalidParameterError, type ServiceError, validationError } from '../errors.js'
import type { Table, TableIndex } from '../tables/table.js'
import { attributeOf, isEqualValue } from '../values/compare-values.js'
import { checkVectors } from '../vectors/check-vectors.js'
import { keyTooLongError } from './check-key.js'
import { emptyIndexKeyError, emptyKindOf, emptyUpdatedIndexKeyError } from './empty-keys.js'
import type { KeyAttribute } from './key-schema.js'

/**
 * Checks the index keys and vectors of an item. A missing key keeps the item out of the index; an existing one must be
 * valid. After an update only changed attributes are checked.
 */
export function checkIndexKeys(table: Table, item: Item, before?: Item): void {
  throwFirstByIndexName(
    table.indexes,
    ({ name, keys }) =>
      findIndexPartError(keys.partition, 'partition', name, item, before) ??
      findIndexPartError(keys.sort, 'sort', name, item, before),
  )
  if (table.vectorIndexes.length > 0) checkVectors(table, item, before)
}

/** Checks the types that an update sets, before the item is read. */
export function checkIndexKeyTypes(indexes: readonly TableIndex[], types: ReadonlyMap<string, AttributeType>): void {
  if (types.size === 0) return
  throwFirstByIndexName(indexes, ({ name, keys }) => {
    for (const part of [...keys.partition, ...keys.sort]) {
      const type = types.get(part.name)
      if (type !== undefined && type !== part.type) return wrongIndexKeyTypeError(part, type, name)
    }
    return undefined
  })
}

/** If several indexes have errors, the service reports the first by name. */
function throwFirstByIndexName(
  indexes: readonly TableIndex[],
  findError: (index: TableIndex) => ServiceError | undefined,
): void {
  let first: string | undefined
  let error: ServiceError | undefined
  for (const index of indexes) {
    if (first !== undefined && first <= index.name) continue
    const found = findError(index)
    if (!found) continue
    error = found
    first = index.name
  }
  if (error) throw error
}

function findIndexPartError(
  parts: readonly KeyAttribute[],
  role: 'partition' | 'sort',
  index: string,
  item: Item,
  before: Item | undefined,
): ServiceError | undefined {
  for (const part of parts) {
    const value = attributeOf(item, part.name)
    if (value === undefined || (before && isUnchanged(attributeOf(before, part.name), value))) continue
    const found = findIndexKeyError(part, value, index, before !== undefined)
    if (found) return found
    const size = countValueBytes(value)
    if (size > (role === 'partition' ? PARTITION_KEY_BYTES : SORT_KEY_BYTES)) return keyTooLongError(role)
  }
  return undefined
}

function isUnchanged(before: AttributeValue | undefined, after: AttributeValue): boolean {
  return before !== undefined && isEqualValue(before, after)
}

function findIndexKeyError(
  part: KeyAttribute,
  value: AttributeValue,
  index: string,
  updated: boolean,
): ServiceError | undefined {
  if (value[part.type] === undefined)
    return updated ? unsupportedIndexKeyTypeError() : wrongIndexKeyTypeError(part, attributeTypeOf(value), index)
  const empty = emptyKindOf(value)
  if (!empty) return undefined
  return updated ? emptyUpdatedIndexKeyError(empty) : emptyIndexKeyError(index, part.name, empty)
}

function wrongIndexKeyTypeError({ name, type }: KeyAttribute, actual: AttributeType, index: string): ServiceError {
  return invalidParameterError(
    `Type mismatch for Index Key ${name} Expected: ${type} Actual: ${actual} IndexName: ${index}`,
  )
}

/** The error for a type that results from the existing item. */
function unsupportedIndexKeyTypeError(): ServiceError {
  return validationError('The update expression attempted to update the secondary index key to unsupported type')
}
