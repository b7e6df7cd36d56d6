import type { Key } from '../../dynamodb/attribute-value.js'
import { echo } from '../../dynamodb/model/echo.js'
import { attributeMap } from '../../dynamodb/model/shapes.js'
import { ServiceError, validation } from '../errors.js'
import type { KeyConditionPart } from '../expressions/key-condition.js'
import { checkKey } from '../keys/check.js'
import { keyWithin } from '../keys/schema.js'
import { attribute, compareValues, equalValues } from '../values/compare.js'
import { takeKey } from '../values/intake.js'
import type { Layer } from '../values/layer.js'
import type { BoundCondition } from './key-range.js'
import { isSingleItem, positionAttributes, type Source } from './source.js'

const INVALID = 'The provided starting key is invalid'
/** Faults of a value that the older validator tells without saying that they are in the starting key. */
const TOLD_BARE =
  /contains duplicates|number set|numeric value|significant digits|number with magnitude|Empty attribute name/

/** A starting key from a caller, before its table is known. */
export function takeStartKey(key: Key | undefined, layer: Layer): Key | undefined {
  if (key === undefined || key === null) return undefined
  if (layer === 'current') return takeKey(key, layer)
  try {
    return takeKey(key, layer)
  } catch (error) {
    if (!(error instanceof ServiceError) || TOLD_BARE.test(error.message)) throw error
    throw validation(`${INVALID}: ${error.message}`)
  }
}

export function checkQueryStart(source: Source, key: Key): void {
  checkStart(source, key, INVALID)
}

/** A start key must have exactly the attributes of a position in the table or index. Its item need not exist. */
function checkStart(source: Source, key: Key, message: string): void {
  const attributes = positionAttributes(source)
  const isComplete = attributes.every(({ name, type }) => attribute(key, name)?.[type] !== undefined)
  if (!isComplete || Object.keys(key).length !== attributes.length) throw validation(message)
  checkKey(source.table.keys, keyWithin(source.table.keys, key))
}

/** A scan of a table explains what is wrong with the start key; a scan of an index does not. */
export function checkScanStart(source: Source, key: Key): void {
  checkStart(source, key, source.index ? INVALID : `${INVALID}: The provided key element does not match the schema`)
}

/** The service repeats a start key that is the key of the queried item. */
function notRestartable(key: Key, isOwnKey: boolean): Error {
  const refusal = 'The provided exclusive start key is invalid'
  return validation(isOwnKey ? `${refusal}: ExclusiveStartKey: ${echo(attributeMap, key)}` : refusal)
}

const AT_MOST_ONE = 'The query can return at most one row and cannot be restarted'

/** A query cannot be taken up at a place that its condition could not have reached. */
export function checkWithinCondition(source: Source, key: Key, { partition, sort }: BoundCondition): void {
  if (isSingleItem(source)) throw notRestartable(key, holds(partition[0]!, key))
  const leading = partition.slice(0, -1)
  if (leading.some(part => !holds(part, key))) throw validation(AT_MOST_ONE)
  if (sort.some(part => !holds(part, key)))
    throw validation('The provided starting key does not match the range key predicate')
  if (holds(partition.at(-1)!, key)) return
  if (sort.length > 0) throw validation(AT_MOST_ONE)
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
