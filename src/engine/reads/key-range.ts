import { invalidParameterError, validationError } from '../errors.js'
import type { KeyConditionExpression, KeyConditionPart } from '../expressions/key-condition.js'
import { emptyIndexKeyError, emptyKeyError, emptyKindOf } from '../keys/empty-keys.js'
import { keyEncoder, PART_END_BYTES, upperBoundOf } from '../keys/key-encoder.js'
import type { KeyAttribute, KeySchema } from '../keys/key-schema.js'
import type { TableIndex } from '../tables/table.js'
import type { ReadSource } from './read-source.js'

/**
 * A key condition matched to a key: equalities for the partition key, equalities for the first sort attributes, and any
 * condition on the last one.
 */
export interface BoundKeyCondition {
  readonly partition: readonly KeyConditionPart[]
  readonly sort: readonly KeyConditionPart[]
}

export function bindKeyCondition({ parts }: KeyConditionExpression, { keys, index }: ReadSource): BoundKeyCondition {
  const defined = keys.partition.length + keys.sort.length
  if (parts.length > defined)
    throw validationError(
      `The number of query conditions (${parts.length}) exceeds the number of key attributes defined in the schema (${defined})`,
    )
  const partition = bindPartitionKey(parts, keys)
  const sort = bindSortKey(parts, keys)
  for (const [i, part] of sort.entries()) checkPartType(part, keys.sort[i]!)
  for (const part of partition) checkNotEmpty(part, index)
  for (const part of sort) checkNotEmpty(part, index)
  return { partition, sort }
}

function findPart(parts: readonly KeyConditionPart[], { name }: KeyAttribute): KeyConditionPart | undefined {
  return parts.find(part => part.name === name)
}

function bindPartitionKey(parts: readonly KeyConditionPart[], keys: KeySchema): KeyConditionPart[] {
  const found = keys.partition.map(key => findPart(parts, key))
  if (keys.partition.length > 1 || keys.sort.length > 1) {
    const missing = keys.partition.filter((_, i) => found[i]?.operator !== '=').map(({ name }) => name)
    if (missing.length > 0)
      throw validationError(
        `HASH key attributes ${missing.join(', ')} must have equality conditions specified in the query`,
      )
  }
  return found.map((part, i) => {
    if (!part) throw validationError(`Query condition missed key schema element: ${keys.partition[i]!.name}`)
    checkPartType(part, keys.partition[i]!)
    if (part.operator !== '=') throw validationError('Query key condition not supported')
    return part
  })
}

function bindSortKey(parts: readonly KeyConditionPart[], keys: KeySchema): KeyConditionPart[] {
  const found = keys.sort.map(key => findPart(parts, key))
  const bound = found.filter(part => part !== undefined)
  if (bound.length + keys.partition.length < parts.length) {
    const unmatched = keys.sort[found.indexOf(undefined)]
    throw validationError(`Query condition missed key schema element: ${unmatched?.name ?? ''}`)
  }
  const last = found.findLastIndex(part => part !== undefined)
  const missing = keys.sort.filter((_, i) => i < last && found[i]?.operator !== '=').map(({ name }) => name)
  if (missing.length > 0)
    throw validationError(
      `RANGE key attributes ${missing.join(', ')} must have equality conditions specified in the query ` +
        `because a condition is present on key attribute ${keys.sort[last]!.name}`,
    )
  return bound
}

function checkPartType({ values }: KeyConditionPart, { type }: KeyAttribute): void {
  for (const value of values)
    if (value[type] === undefined) throw invalidParameterError('Condition parameter type does not match schema type')
}

/** Key values are never empty, so a condition with an empty value is an error. */
function checkNotEmpty({ name, values }: KeyConditionPart, index: TableIndex | undefined): void {
  for (const value of values) {
    const empty = emptyKindOf(value)
    if (empty) throw index ? emptyIndexKeyError(index.name, name, empty) : emptyKeyError(name, empty)
  }
}

interface Range {
  /** The first key, inclusive. */
  from: string
  /** The last key, exclusive; undefined for no limit. */
  to: string | undefined
}

/** Returns the range of keys that a condition covers. */
export function toKeyRange({ partition, sort }: BoundKeyCondition): Range {
  const key = keyEncoder.beginPartition(partition.map(part => part.values[0]!))
  let equal = 0
  for (; sort[equal]?.operator === '='; equal++) key.appendPart(sort[equal]!.values[0]!)
  const all = key.toText()
  const last = sort[equal]
  return last ? toLastPartRange(all, last) : { from: all, to: upperBoundOf(all) }
}

/** Returns the range of keys with the prefix `all` whose next part satisfies the condition. */
function toLastPartRange(all: string, { operator, values: [first, second] }: KeyConditionPart): Range {
  const whole = all + keyEncoder.beginPart(first!).toText()
  switch (operator) {
    case '<':
      return { from: all, to: whole }
    case '<=':
      return { from: all, to: upperBoundOf(whole) }
    case '>':
      return { from: upperBoundOf(whole)!, to: upperBoundOf(all) }
    case '>=':
      return { from: whole, to: upperBoundOf(all) }
    case 'BETWEEN':
      return { from: whole, to: upperBoundOf(all + keyEncoder.beginPart(second!).toText()) }
    default:
      // No key with this prefix sorts before the prefix itself as a whole part.
      return { from: whole, to: upperBoundOf(whole.slice(0, -PART_END_BYTES)) }
  }
}
