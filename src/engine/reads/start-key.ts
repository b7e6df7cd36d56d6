import { type Key, typeOf } from '../../dynamodb/attribute-value.js'
import { ServiceError, validation } from '../errors.js'
import type { KeyConditionPart } from '../expressions/key-condition.js'
import { checkKey } from '../keys/check.js'
import { wrongIndexKeyType } from '../keys/check-indexes.js'
import { type KeySchema, keyWithin } from '../keys/schema.js'
import { attribute, compareValues, equalValues } from '../values/compare.js'
import { takeKey } from '../values/intake.js'
import type { Layer } from '../values/layer.js'
import type { BoundCondition } from './key-range.js'
import { positionAttributes, type Source } from './source.js'

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

/**
 * A starting key must have exactly the attributes of a position in what is read; it need not be there. A query says no
 * more of one that does not fit.
 */
export function checkQueryStart(source: Source, key: Key): void {
  const attributes = positionAttributes(source)
  if (Object.keys(key).length !== attributes.length) throw validation(INVALID)
  for (const { name, type } of attributes) if (attribute(key, name)?.[type] === undefined) throw validation(INVALID)
  checkKey(source.table.keys, keyWithin(source.table.keys, key))
}

/** A scan is told first of a wrong type, as one of an index, if the table has any. */
export function checkScanStart(source: Source, key: Key): void {
  const { table } = source
  const named = source.index ?? table.indexes.find(({ kind }) => kind === 'global') ?? table.indexes[0]
  if (named) for (const { keys } of [table, ...table.indexes]) checkTypes(keys, key, named.name)
  checkQueryStart(source, key)
}

function checkTypes({ partition, sort }: KeySchema, key: Key, indexName: string): void {
  for (const part of [...partition, ...sort]) {
    const value = attribute(key, part.name)
    if (value !== undefined && value[part.type] === undefined) throw wrongIndexKeyType(part, typeOf(value), indexName)
  }
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
