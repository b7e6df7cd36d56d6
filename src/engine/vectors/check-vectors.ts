import { type AttributeValue, attributeTypeOf, type Item } from '../../dynamodb/attribute-value.js'
import { PARTITION_KEY_BYTES } from '../../dynamodb/limits.js'
import { countValueBytes } from '../../dynamodb/size.js'
import { type ServiceError, validationError } from '../errors.js'
import { keyTooLongError } from '../keys/check-key.js'
import { emptyIndexKeyError, emptyKindOf, emptyUpdatedIndexKeyError } from '../keys/empty-keys.js'
import type { KeyAttribute } from '../keys/key-schema.js'
import type { Table } from '../tables/table.js'
import { attributeOf, isEqualValue } from '../values/compare-values.js'
import { formatOutOfRange, toFloat } from './floats.js'
import type { TableVectorIndex } from './vector-index.js'

/**
 * Checks the attributes that vector indexes read. A missing attribute keeps the item out of the index; an existing one
 * must be valid. After an update only changed attributes are checked. If several indexes have errors, the first by name
 * is reported.
 */
export function checkVectors({ vectorIndexes }: Table, item: Item, before?: Item): void {
  for (const index of vectorIndexes.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const complaint = findVectorError(index, item, before)
    if (complaint) throw complaint
  }
}

function findVectorError(index: TableVectorIndex, item: Item, before: Item | undefined): ServiceError | undefined {
  const changed = (name: string) => {
    const value = attributeOf(item, name)
    const old = before && attributeOf(before, name)
    return value && old && isEqualValue(old, value) ? undefined : value
  }
  const vector = changed(index.attribute)
  const wrong = vector && findVectorValueError(index, vector)
  if (wrong) return wrong
  for (const part of [...(index.partition ? [index.partition] : []), ...index.filters]) {
    const value = changed(part.name)
    const found = value && findSearchKeyError(index, part, value, before !== undefined)
    if (found) return found
  }
  return undefined
}

const invalidVectorError = (detail: string) => validationError(`One or more parameter values were invalid. ${detail}`)

/** The service puts a period before some of the index names. */
function findVectorValueError(index: TableVectorIndex, value: AttributeValue): ServiceError | undefined {
  const { name, attribute: parameter, dimensions } = index
  if (!value.L)
    return invalidVectorError(
      `Invalid type for parameter ${parameter}, Expected: 32-bit floating point number list IndexName: ${name}`,
    )
  const actual = value.L.length
  if (actual !== dimensions)
    return invalidVectorError(
      `Invalid size for parameter ${parameter}, Expected: ${dimensions}, Actual: ${actual} IndexName: ${name}`,
    )
  for (const [i, element] of value.L.entries()) {
    if (element.N === undefined)
      return invalidVectorError(
        `Invalid type for parameter ${parameter}[${i}], Expected: 32-bit floating point number, ` +
          `Actual: ${attributeTypeOf(element)}. IndexName: ${name}`,
      )
    if (toFloat(element.N) === undefined)
      return invalidVectorError(
        `Invalid value for parameter ${parameter}[${i}], Value: ${formatOutOfRange(element.N)} is outside valid range ` +
          `[-3.4028235E38, 3.4028235E38]. IndexName: ${name}`,
      )
  }
  return undefined
}

function findSearchKeyError(
  index: TableVectorIndex,
  { name, type }: KeyAttribute,
  value: AttributeValue,
  updated: boolean,
): ServiceError | undefined {
  if (value[type] === undefined)
    return invalidVectorError(
      `Attribute '${name}' type mismatch. Expected: ${type}, Actual: ${attributeTypeOf(value)}. IndexName: ${index.name}`,
    )
  if (name !== index.partition?.name) return undefined
  const empty = emptyKindOf(value)
  if (empty) return updated ? emptyUpdatedIndexKeyError(empty) : emptyIndexKeyError(index.name, name, empty)
  return countValueBytes(value) > PARTITION_KEY_BYTES ? keyTooLongError('partition') : undefined
}
