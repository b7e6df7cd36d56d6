import type { AttributeValue } from '../../dynamodb/attribute-value.js'
import { PARTITION_KEY_BYTES, SORT_KEY_BYTES } from '../../dynamodb/limits.js'
import { valueBytes } from '../../dynamodb/size.js'
import { validation } from '../errors.js'
import type { KeyConditionPart } from '../expressions/key-condition.js'
import { keyTooLong } from '../keys/check.js'
import { emptyKind } from '../keys/empty.js'
import type { KeyAttribute } from '../keys/schema.js'
import { keyRange } from '../reads/key-range.js'
import { compareValues, equalValues } from '../values/compare.js'
import type { Branch } from './branches.js'
import { type Comparison, checkKeyValue } from './key-values.js'

/** A part of what is read: the keys from one to before another, in one partition where that is known. */
export interface ReadRange {
  readonly partition: AttributeValue | undefined
  readonly from: string
  readonly to: string | undefined
}

export const EVERYTHING: ReadRange = { partition: undefined, from: '', to: undefined }

const RANGES_MAX = 50
/** Reads that are made for one page, where it is a list of IN that they come from. */
const LISTED_READS_A_PAGE = 10
const TOO_MANY = 'Too many decomposed read operations for a given query.'
const OVERLAP = 'Overlapping conditions with range keys are not supported in where clause'

/** The ranges that branches are in, in the order written, by which no key is too long to be read. */
export function rangesOf(
  branches: readonly Branch[],
  partition: KeyAttribute,
  sort: KeyAttribute | undefined,
): readonly ReadRange[] {
  const ranges = decomposed(branches, partition, sort)
  checkLengths(branches)
  return ranges
}

/** The service refuses too many ranges, and ranges that meet. */
export function decomposed(
  branches: readonly Branch[],
  partition: KeyAttribute,
  sort: KeyAttribute | undefined,
): readonly ReadRange[] {
  const ranges = branches.flatMap(branch => branchRanges(fitting(branch, partition, sort), partition.name))
  if (ranges.length > RANGES_MAX) throw validation(TOO_MANY)
  const apart = merged(ranges)
  const meet = apart.length < ranges.length
  if (meet && !branches.some(({ sorts, excludes }) => excludes || sorts.length > 1)) throw validation(OVERLAP)
  return meet ? apart : ranges
}

export function readsAPage(branches: readonly Branch[]): number {
  const isListed = branches.some(
    ({ partitions, sorts }) => partitions.length > 1 || sorts.some(({ operator }) => operator === 'IN'),
  )
  return isListed ? LISTED_READS_A_PAGE : Number.POSITIVE_INFINITY
}

/** A clause that names one partition, or one sort key in it, reads by that key, which must not be too long for one. */
function checkLengths(branches: readonly Branch[]): void {
  const [partition, ...others] = branches.flatMap(({ partitions }) => partitions)
  if (!partition || others.some(other => !equalValues(other, partition))) return
  if (valueBytes(partition) > PARTITION_KEY_BYTES) throw keyTooLong('partition')
  const [sort, ...more] = branches.flatMap(({ sorts }) => sorts).flatMap(choices)
  if (sort && more.length === 0 && sort.values.some(value => valueBytes(value) > SORT_KEY_BYTES))
    throw keyTooLong('sort')
}

/** The service checks the values of keys branch by branch, up to the first that is not read by one key. */
export function checkKeyValues(
  branches: readonly (Branch | undefined)[],
  partition: KeyAttribute,
  sort: KeyAttribute | undefined,
): void {
  for (const branch of branches) {
    if (!branch || branch.isTwofold) return
    for (const value of branch.partitions) checkKeyValue(partition, value)
    for (const { values } of branch.sorts) for (const value of values) checkKeyValue(sort!, value)
  }
}

/** A branch without what no key can be, which its condition is left to refuse. */
function fitting(branch: Branch, partition: KeyAttribute, sort: KeyAttribute | undefined): Branch {
  const fits = ({ type }: KeyAttribute, value: AttributeValue) => value[type] !== undefined && !emptyKind(value)
  return {
    ...branch,
    partitions: branch.partitions.filter(value => fits(partition, value)),
    sorts: branch.sorts.filter(({ values }) => values.every(value => fits(sort!, value))),
  }
}

function branchRanges({ partitions, sorts }: Branch, name: string): ReadRange[] {
  return partitions.flatMap(partition => {
    const whole = { partition: [part({ name, operator: '=', values: [partition] })] }
    const base: ReadRange[] = [{ partition, ...keyRange({ ...whole, sort: [] }) }]
    return sorts.reduce((ranges, sort) => {
      const narrower = choices(sort).map(one => ({ partition, ...keyRange({ ...whole, sort: [part(one)] }) }))
      return ranges.flatMap(range => narrower.map(other => shared(range, other))).filter(range => range !== undefined)
    }, base)
  })
}

/** IN is as many equalities. */
function choices(comparison: Comparison): Comparison[] {
  if (comparison.operator !== 'IN') return [comparison]
  return comparison.values.map(value => ({ ...comparison, operator: '=', values: [value] }))
}

const part = ({ name, operator, values }: Comparison): KeyConditionPart => ({
  name,
  operator: operator as KeyConditionPart['operator'],
  values,
})

function shared(a: ReadRange, b: ReadRange): ReadRange | undefined {
  const [, from] = [a.from, b.from].sort() as [string, string]
  const to = earlier(a.to, b.to)
  return to !== undefined && from >= to ? undefined : { partition: a.partition, from, to }
}

function earlier(a: string | undefined, b: string | undefined): string | undefined {
  if (a === undefined || b === undefined) return a ?? b
  return a < b ? a : b
}

/** The same keys, each once, in the order of keys. */
function merged(ranges: readonly ReadRange[]): ReadRange[] {
  const apart: ReadRange[] = []
  for (const range of [...ranges].sort((a, b) => (a.from < b.from ? -1 : 1))) {
    const last = apart.at(-1)
    if (last && (last.to === undefined || range.from < last.to)) apart[apart.length - 1] = around(last, range)
    else apart.push(range)
  }
  return apart
}

function around(first: ReadRange, next: ReadRange): ReadRange {
  return { ...first, to: first.to === earlier(first.to, next.to) ? next.to : first.to }
}

/** The ranges by their partitions, where an order is asked for, and within one in the order in which it is read. */
export function inOrder(ranges: readonly ReadRange[], descending: boolean, reverse: boolean): ReadRange[] {
  const byKey = reverse ? -1 : 1
  return [...ranges].sort((a, b) => {
    const order = compareValues(a.partition!, b.partition!) ?? 0
    if (order !== 0) return descending ? -order : order
    return a.from < b.from ? -byKey : byKey
  })
}
