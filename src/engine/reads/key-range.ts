import { invalidParameter, validation } from '../errors.js'
import type { KeyCondition, KeyConditionPart } from '../expressions/key-condition.js'
import { emptyIndexKey, emptyKey, emptyKind } from '../keys/empty.js'
import { after, encoder, PART_END_BYTES } from '../keys/encoder.js'
import type { KeyAttribute, KeySchema } from '../keys/schema.js'
import type { Index } from '../tables/table.js'
import type { Source } from './source.js'

/** A key condition brought onto a key: equalities for the partition, equalities from the left of the sort key, and what its last part given says. */
export interface BoundCondition {
  readonly partition: readonly KeyConditionPart[]
  readonly sort: readonly KeyConditionPart[]
}

export function bindKeyCondition({ parts }: KeyCondition, { keys, index }: Source): BoundCondition {
  const defined = keys.partition.length + keys.sort.length
  if (parts.length > defined)
    throw validation(
      `The number of query conditions (${parts.length}) exceeds the number of key attributes defined in the schema (${defined})`,
    )
  const partition = bindPartition(parts, keys)
  const sort = bindSort(parts, keys)
  for (const [i, part] of sort.entries()) checkType(part, keys.sort[i]!)
  for (const part of partition) checkNotEmpty(part, index)
  for (const part of sort) checkNotEmpty(part, index)
  return { partition, sort }
}

function conditionOn(parts: readonly KeyConditionPart[], { name }: KeyAttribute): KeyConditionPart | undefined {
  return parts.find(part => part.name === name)
}

function bindPartition(parts: readonly KeyConditionPart[], keys: KeySchema): KeyConditionPart[] {
  const found = keys.partition.map(key => conditionOn(parts, key))
  if (keys.partition.length > 1 || keys.sort.length > 1) {
    const missing = keys.partition.filter((_, i) => found[i]?.operator !== '=').map(({ name }) => name)
    if (missing.length > 0)
      throw validation(`HASH key attributes ${missing.join(', ')} must have equality conditions specified in the query`)
  }
  return found.map((part, i) => {
    if (!part) throw validation(`Query condition missed key schema element: ${keys.partition[i]!.name}`)
    checkType(part, keys.partition[i]!)
    if (part.operator !== '=') throw validation('Query key condition not supported')
    return part
  })
}

function bindSort(parts: readonly KeyConditionPart[], keys: KeySchema): KeyConditionPart[] {
  const found = keys.sort.map(key => conditionOn(parts, key))
  const bound = found.filter(part => part !== undefined)
  if (bound.length + keys.partition.length < parts.length) {
    const unmatched = keys.sort[found.indexOf(undefined)]
    throw validation(`Query condition missed key schema element: ${unmatched?.name ?? ''}`)
  }
  const last = found.findLastIndex(part => part !== undefined)
  const missing = keys.sort.filter((_, i) => i < last && found[i]?.operator !== '=').map(({ name }) => name)
  if (missing.length > 0)
    throw validation(
      `RANGE key attributes ${missing.join(', ')} must have equality conditions specified in the query ` +
        `because a condition is present on key attribute ${keys.sort[last]!.name}`,
    )
  return bound
}

function checkType({ values }: KeyConditionPart, { type }: KeyAttribute): void {
  for (const value of values)
    if (value[type] === undefined) throw invalidParameter('Condition parameter type does not match schema type')
}

/** No key is empty, so a condition cannot be on an empty one. */
function checkNotEmpty({ name, values }: KeyConditionPart, index: Index | undefined): void {
  for (const value of values) {
    const empty = emptyKind(value)
    if (empty) throw index ? emptyIndexKey(index.name, name, empty) : emptyKey(name, empty)
  }
}

interface Range {
  /** Inclusive. */
  from: string
  /** Exclusive. */
  to: string | undefined
}

/** The keys that a condition covers. */
export function keyRange({ partition, sort }: BoundCondition): Range {
  const key = encoder.partition(partition.map(part => part.values[0]!))
  let equal = 0
  for (; sort[equal]?.operator === '='; equal++) key.part(sort[equal]!.values[0]!)
  const all = key.text()
  const last = sort[equal]
  return last ? lastRange(all, last) : { from: all, to: after(all) }
}

/** Of the keys that begin with `all`, those that go on as the last part says. */
function lastRange(all: string, { operator, values: [first, second] }: KeyConditionPart): Range {
  const whole = all + encoder.next(first!).text()
  switch (operator) {
    case '<':
      return { from: all, to: whole }
    case '<=':
      return { from: all, to: after(whole) }
    case '>':
      return { from: after(whole)!, to: after(all) }
    case '>=':
      return { from: whole, to: after(all) }
    case 'BETWEEN':
      return { from: whole, to: after(all + encoder.next(second!).text()) }
    default:
      // Nothing comes before the text itself.
      return { from: whole, to: after(whole.slice(0, -PART_END_BYTES)) }
  }
}
