import type { Key } from '../../dynamodb/attribute-value.js'
import { ServiceError, validation } from '../errors.js'
import type { KeyConditionPart } from '../expressions/key-condition.js'
import { checkKey, keyMismatch } from '../keys/check.js'
import { type KeyAttribute, keyWithin } from '../keys/schema.js'
import { attribute, compareValues, equalValues } from '../values/compare.js'
import { takeKey } from '../values/intake.js'
import type { BoundCondition } from './key-range.js'
import { positionAttributes, type Source } from './source.js'

const INVALID = 'The provided starting key is invalid'
/** Faults of a value that the service tells without saying that they are in the starting key. */
const TOLD_BARE =
  /contains duplicates|number set|numeric value|significant digits|number with magnitude|Empty attribute name/
/** A query tells these bare too; a scan does not. */
const TOLD_BARE_BY_QUERY = /^One or more parameter values were invalid:/

/** A starting key from a caller, before its table is known. */
export function takeStartKey(key: Key | undefined, operation: 'query' | 'scan'): Key | undefined {
  if (key === undefined || key === null) return undefined
  try {
    return takeKey(key)
  } catch (error) {
    if (!(error instanceof ServiceError) || TOLD_BARE.test(error.message)) throw error
    if (operation === 'query' && TOLD_BARE_BY_QUERY.test(error.message)) throw error
    throw validation(`${INVALID}: ${error.message}`)
  }
}

/**
 * A starting key must have exactly the attributes of a position in what is read; it need not be there. A query says no
 * more of one that does not fit.
 */
export function checkQueryStart(source: Source, key: Key): void {
  for (const { name, type } of fittingAttributes(source, key))
    if (attribute(key, name)?.[type] === undefined) throw validation(INVALID)
  checkKey(source.table.keys, keyWithin(source.table.keys, key))
}

/** What a scan of an index says of the index's part comes before what it says of its Select. */
export function checkScanStartInIndex(source: Source, key: Key): void {
  if (!source.index) return
  fittingAttributes(source, key)
  for (const { name, type } of [...source.keys.partition, ...source.keys.sort]) {
    const value = attribute(key, name)
    if (value === undefined) throw validation(INVALID)
    if (value[type] === undefined) throw keyMismatch()
  }
}

/** And what it says of the table's part after that. */
export function checkScanStart(source: Source, key: Key): void {
  try {
    checkKey(source.table.keys, source.index ? keyWithin(source.table.keys, key) : key)
  } catch (error) {
    throw error instanceof ServiceError ? validation(`${INVALID}: ${error.message}`) : error
  }
}

function fittingAttributes(source: Source, key: Key): KeyAttribute[] {
  const attributes = positionAttributes(source)
  if (Object.keys(key).length !== attributes.length) throw validation(INVALID)
  return attributes
}

const AT_MOST_ONE = 'The query can return at most one row and cannot be restarted'

/** A query cannot be taken up at a place that its condition could not have reached. */
export function checkWithinCondition(source: Source, key: Key, { partition, sort }: BoundCondition): void {
  const leading = partition.slice(0, -1)
  if (leading.some(part => !holds(part, key))) throw validation(AT_MOST_ONE)
  if (sort.some(part => !holds(part, key)))
    throw validation('The provided starting key does not match the range key predicate')
  if (holds(partition.at(-1)!, key)) return
  if (sort.length > 0) throw validation(AT_MOST_ONE)
  if (!source.index && source.keys.sort.length === 0) throw validation('The provided exclusive start key is invalid')
  throw validation('The provided starting key is outside query boundaries based on provided conditions')
}

function holds({ name, operator, values }: KeyConditionPart, key: Key): boolean {
  const value = attribute(key, name)
  if (value === undefined) return false
  if (operator === '=') return equalValues(value, values[0]!)
  if (operator === 'begins_with')
    return value.S !== undefined && values[0]!.S !== undefined
      ? value.S.startsWith(values[0]!.S)
      : Buffer.from(value.B!).subarray(0, values[0]!.B!.byteLength).equals(values[0]!.B!)
  const order = compareValues(value, values[0]!)
  if (order === undefined) return false
  switch (operator) {
    case '<':
      return order < 0
    case '<=':
      return order <= 0
    case '>':
      return order > 0
    case '>=':
      return order >= 0
    default:
      return order >= 0 && compareValues(value, values[1]!)! <= 0
  }
}
