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
  if (meet(ranges)) throw validation(OVERLAP)
  return ranges
}

export function readsAPage(branches: readonly Branch[]): number {
  const isListed = branches.some(({ partitions, sort }) => partitions.length > 1 || sort?.operator === 'IN')
  return isListed ? LISTED_READS_A_PAGE : Number.POSITIVE_INFINITY
}

/** A clause that names one partition, or one sort key in it, reads by that key, which must not be too long for one. */
function checkLengths(branches: readonly Branch[]): void {
  const [partition, ...others] = branches.flatMap(({ partitions }) => partitions)
  if (!partition || others.some(other => !equalValues(other, partition))) return
  if (valueBytes(partition) > PARTITION_KEY_BYTES) throw keyTooLong('partition')
  const [sort, ...more] = branches.flatMap(({ sort }) => choices(sort))
  if (sort && more.length === 0 && sort.values.some(value => valueBytes(value) > SORT_KEY_BYTES))
    throw keyTooLong('sort')
}

/** The service checks the values of keys branch by branch, up to the first that is not read by its key. */
export function checkKeyValues(
  branches: readonly (Branch | undefined)[],
  partition: KeyAttribute,
  sort: KeyAttribute | undefined,
): void {
  for (const branch of branches) {
    if (!branch) return
    for (const value of branch.partitions) checkKeyValue(partition, value)
    for (const value of branch.sort?.values ?? []) checkKeyValue(sort!, value)
  }
}

/** A branch without what no key can be, which its condition is left to refuse. */
function fitting(branch: Branch, partition: KeyAttribute, sort: KeyAttribute | undefined): Branch {
  const fits = ({ type }: KeyAttribute, value: AttributeValue) => value[type] !== undefined && !emptyKind(value)
  return {
    ...branch,
    partitions: branch.partitions.filter(value => fits(partition, value)),
    sort: branch.sort?.values.every(value => fits(sort!, value)) ? branch.sort : undefined,
  }
}

function branchRanges({ partitions, sort }: Branch, name: string): ReadRange[] {
  const sorts = sort ? choices(sort).map(one => [part(one)]) : [[]]
  const ranges = partitions.flatMap(partition => {
    const whole = [part({ name, operator: '=', values: [partition] })]
    return sorts.map(each => ({ partition, ...keyRange({ partition: whole, sort: each }) }))
  })
  return ranges.filter(({ from, to }) => to === undefined || from < to)
}

/** IN is as many equalities. */
function choices(comparison: Comparison | undefined): Comparison[] {
  if (comparison?.operator !== 'IN') return comparison ? [comparison] : []
  return comparison.values.map(value => ({ ...comparison, operator: '=', values: [value] }))
}

const part = ({ name, operator, values }: Comparison): KeyConditionPart => ({
  name,
  operator: operator as KeyConditionPart['operator'],
  values,
})

/** Whether some keys are in two of the ranges. */
function meet(ranges: readonly ReadRange[]): boolean {
  const sorted = [...ranges].sort((a, b) => (a.from < b.from ? -1 : 1))
  return sorted.some(({ to }, i) => sorted[i + 1] && (to === undefined || sorted[i + 1]!.from < to))
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
