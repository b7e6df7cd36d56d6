import type { Key } from '../../dynamodb/attribute-value.js'
import { formatEcho } from '../../dynamodb/model/echo.js'
import { attributeMapShape } from '../../dynamodb/model/shapes.js'
import { ServiceError, validationError } from '../errors.js'
import type { KeyConditionPart } from '../expressions/key-condition.js'
import { checkKey } from '../keys/check-key.js'
import { pickKey } from '../keys/key-schema.js'
import { attributeOf, compareValues, isEqualValue } from '../values/compare-values.js'
import { parseInputKey } from '../values/parse-item.js'
import type { ValidatorLayer } from '../values/validator-layer.js'
import type { BoundKeyCondition } from './key-range.js'
import { hasSingleItemPartitions, positionAttributesOf, type ReadSource } from './read-source.js'

const INVALID = 'The provided starting key is invalid'
/** Errors that the older validator reports without the prefix of the start key. */
const UNPREFIXED_MESSAGES =
  /contains duplicates|number set|numeric value|significant digits|number with magnitude|Empty attribute name/

/** Parses the start key of a request before the table is known. */
export function parseStartKey(key: Key | undefined, layer: ValidatorLayer): Key | undefined {
  if (key === undefined || key === null) return undefined
  if (layer === 'current') return parseInputKey(key, layer)
  try {
    return parseInputKey(key, layer)
  } catch (error) {
    if (!(error instanceof ServiceError) || UNPREFIXED_MESSAGES.test(error.message)) throw error
    throw validationError(`${INVALID}: ${error.message}`)
  }
}

export function checkQueryStartKey(source: ReadSource, key: Key): void {
  checkStartKey(source, key, INVALID)
}

/** Checks that a start key has exactly the attributes of a position. Its item need not exist. */
function checkStartKey(source: ReadSource, key: Key, message: string): void {
  const attributes = positionAttributesOf(source)
  const isComplete = attributes.every(({ name, type }) => attributeOf(key, name)?.[type] !== undefined)
  if (!isComplete || Object.keys(key).length !== attributes.length) throw validationError(message)
  checkKey(source.table.keys, pickKey(source.table.keys, key))
}

/** Checks the start key of a scan. The service gives details for a table but not for an index. */
export function checkScanStartKey(source: ReadSource, key: Key): void {
  checkStartKey(source, key, source.index ? INVALID : `${INVALID}: The provided key element does not match the schema`)
}

/**
 * Creates the error for a start key in a query of a single item. The service includes the key if it is that of the
 * item.
 */
function notRestartableError(key: Key, isOwnKey: boolean): Error {
  const refusal = 'The provided exclusive start key is invalid'
  return validationError(isOwnKey ? `${refusal}: ExclusiveStartKey: ${formatEcho(attributeMapShape, key)}` : refusal)
}

const AT_MOST_ONE = 'The query can return at most one row and cannot be restarted'

/** Checks that the condition of a query could have reached the start key. */
export function checkStartKeyWithinCondition(
  source: ReadSource,
  key: Key,
  { partition, sort }: BoundKeyCondition,
): void {
  if (hasSingleItemPartitions(source)) throw notRestartableError(key, isPartSatisfied(partition[0]!, key))
  const leading = partition.slice(0, -1)
  if (leading.some(part => !isPartSatisfied(part, key))) throw validationError(AT_MOST_ONE)
  if (sort.some(part => !isPartSatisfied(part, key)))
    throw validationError('The provided starting key does not match the range key predicate')
  if (isPartSatisfied(partition.at(-1)!, key)) return
  if (sort.length > 0) throw validationError(AT_MOST_ONE)
  throw validationError('The provided starting key is outside query boundaries based on provided conditions')
}

function isPartSatisfied({ name, operator, values }: KeyConditionPart, key: Key): boolean {
  const value = attributeOf(key, name)
  if (value === undefined) return false
  if (operator === '=') return isEqualValue(value, values[0]!)
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
