import { type AttributeValue, type Item, typeOf } from '../../dynamodb/attribute-value.js'
import { PARTITION_KEY_BYTES } from '../../dynamodb/limits.js'
import { valueBytes } from '../../dynamodb/size.js'
import { type ServiceError, validation } from '../errors.js'
import { keyTooLong } from '../keys/check.js'
import { emptyIndexKey, emptyKind, emptyUpdatedIndexKey } from '../keys/empty.js'
import type { KeyAttribute } from '../keys/schema.js'
import type { Table } from '../tables/table.js'
import { attribute, equalValues } from '../values/compare.js'
import { beyondText, floatOf } from './floats.js'
import type { VectorIndex } from './vector-index.js'

/**
 * What vector indexes read of an item: what is absent keeps it out of an index, what is present must be right. After an
 * update only what it changed is looked at. Of several wrong indexes the first by name is told.
 */
export function checkVectors({ vectorIndexes }: Table, item: Item, before?: Item): void {
  for (const index of vectorIndexes.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const complaint = complaintOf(index, item, before)
    if (complaint) throw complaint
  }
}

function complaintOf(index: VectorIndex, item: Item, before: Item | undefined): ServiceError | undefined {
  const changed = (name: string) => {
    const value = attribute(item, name)
    const old = before && attribute(before, name)
    return value && old && equalValues(old, value) ? undefined : value
  }
  const vector = changed(index.attribute)
  const wrong = vector && vectorComplaint(index, vector)
  if (wrong) return wrong
  for (const part of [...(index.partition ? [index.partition] : []), ...index.filters]) {
    const value = changed(part.name)
    const found = value && searchKeyComplaint(index, part, value, before !== undefined)
    if (found) return found
  }
  return undefined
}

const invalid = (detail: string) => validation(`One or more parameter values were invalid. ${detail}`)

/** The service has a stop before some of the names, and none before others. */
function vectorComplaint(index: VectorIndex, value: AttributeValue): ServiceError | undefined {
  const { name, attribute: parameter, dimensions } = index
  if (!value.L)
    return invalid(
      `Invalid type for parameter ${parameter}, Expected: 32-bit floating point number list IndexName: ${name}`,
    )
  const actual = value.L.length
  if (actual !== dimensions)
    return invalid(
      `Invalid size for parameter ${parameter}, Expected: ${dimensions}, Actual: ${actual} IndexName: ${name}`,
    )
  for (const [i, element] of value.L.entries()) {
    if (element.N === undefined)
      return invalid(
        `Invalid type for parameter ${parameter}[${i}], Expected: 32-bit floating point number, ` +
          `Actual: ${typeOf(element)}. IndexName: ${name}`,
      )
    if (floatOf(element.N) === undefined)
      return invalid(
        `Invalid value for parameter ${parameter}[${i}], Value: ${beyondText(element.N)} is outside valid range ` +
          `[-3.4028235E38, 3.4028235E38]. IndexName: ${name}`,
      )
  }
  return undefined
}

function searchKeyComplaint(
  index: VectorIndex,
  { name, type }: KeyAttribute,
  value: AttributeValue,
  updated: boolean,
): ServiceError | undefined {
  if (value[type] === undefined)
    return invalid(
      `Attribute '${name}' type mismatch. Expected: ${type}, Actual: ${typeOf(value)}. IndexName: ${index.name}`,
    )
  if (name !== index.partition?.name) return undefined
  const empty = emptyKind(value)
  if (empty) return updated ? emptyUpdatedIndexKey(empty) : emptyIndexKey(index.name, name, empty)
  return valueBytes(value) > PARTITION_KEY_BYTES ? keyTooLong('partition') : undefined
}
