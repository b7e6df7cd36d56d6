import type { AttributeValue } from '../../dynamodb/attribute-value.js'
import { PARTITION_KEY_BYTES, SORT_KEY_BYTES } from '../../dynamodb/limits.js'
import { countValueBytes } from '../../dynamodb/size.js'
import { validationError } from '../errors.js'
import type { KeyConditionPart } from '../expressions/key-condition.js'
import { keyTooLongError } from '../keys/check-key.js'
import { emptyKindOf } from '../keys/empty-keys.js'
import type { KeyAttribute } from '../keys/key-schema.js'
import { toKeyRange } from '../reads/key-range.js'
import { compareValues, isEqualValue } from '../values/compare-values.js'
import { type AttributeComparison, checkKeyValueType } from './statement-key.js'
import type { WhereBranch } from './where-branches.js'

/** A part of what is read: the keys from one to before another, in one partition where that is known. */
export interface ReadRange {
  readonly partition: AttributeValue | undefined
  readonly from: string
  readonly to: string | undefined
}

export const FULL_READ_RANGE: ReadRange = { partition: undefined, from: '', to: undefined }

const RANGES_MAX = 50
/** Reads that are made for one page, where it is a list of IN that they come from. */
const LISTED_READS_PER_PAGE = 10
const TOO_MANY = 'Too many decomposed read operations for a given query.'
const OVERLAP = 'Overlapping conditions with range keys are not supported in where clause'

/** The ranges that branches are in, in the order written, by which no key is too long to be read. */
export function readRangesOf(
  branches: readonly WhereBranch[],
  partition: KeyAttribute,
  sort: KeyAttribute | undefined,
): readonly ReadRange[] {
  const ranges = toReadRanges(branches, partition, sort)
  checkKeyLengths(branches)
  return ranges
}

/** The service refuses too many ranges, and ranges that meet. */
export function toReadRanges(
  branches: readonly WhereBranch[],
  partition: KeyAttribute,
  sort: KeyAttribute | undefined,
): readonly ReadRange[] {
  const ranges = branches.flatMap(branch => branchRangesOf(withoutInvalidKeys(branch, partition, sort), partition.name))
  if (ranges.length > RANGES_MAX) throw validationError(TOO_MANY)
  if (hasOverlap(ranges)) throw validationError(OVERLAP)
  return ranges
}

export function maxReadsPerPage(branches: readonly WhereBranch[]): number {
  const isListed = branches.some(({ partitions, sort }) => partitions.length > 1 || sort?.operator === 'IN')
  return isListed ? LISTED_READS_PER_PAGE : Number.POSITIVE_INFINITY
}

/** A clause that names one partition, or one sort key in it, reads by that key, which must not be too long for one. */
function checkKeyLengths(branches: readonly WhereBranch[]): void {
  const [partition, ...others] = branches.flatMap(({ partitions }) => partitions)
  if (!partition || others.some(other => !isEqualValue(other, partition))) return
  if (countValueBytes(partition) > PARTITION_KEY_BYTES) throw keyTooLongError('partition')
  const [sort, ...more] = branches.flatMap(({ sort }) => expandIn(sort))
  if (sort && more.length === 0 && sort.values.some(value => countValueBytes(value) > SORT_KEY_BYTES))
    throw keyTooLongError('sort')
}

/** The service checks the values of keys branch by branch, up to the first that is not read by its key. */
export function checkBranchKeyValues(
  branches: readonly (WhereBranch | undefined)[],
  partition: KeyAttribute,
  sort: KeyAttribute | undefined,
): void {
  for (const branch of branches) {
    if (!branch) return
    for (const value of branch.partitions) checkKeyValueType(partition, value)
    for (const value of branch.sort?.values ?? []) checkKeyValueType(sort!, value)
  }
}

/** A branch without what no key can be, which its condition is left to refuse. */
function withoutInvalidKeys(branch: WhereBranch, partition: KeyAttribute, sort: KeyAttribute | undefined): WhereBranch {
  const fits = ({ type }: KeyAttribute, value: AttributeValue) => value[type] !== undefined && !emptyKindOf(value)
  return {
    ...branch,
    partitions: branch.partitions.filter(value => fits(partition, value)),
    sort: branch.sort?.values.every(value => fits(sort!, value)) ? branch.sort : undefined,
  }
}

function branchRangesOf({ partitions, sort }: WhereBranch, name: string): ReadRange[] {
  const sorts = sort ? expandIn(sort).map(one => [toKeyConditionPart(one)]) : [[]]
  const ranges = partitions.flatMap(partition => {
    const whole = [toKeyConditionPart({ name, operator: '=', values: [partition] })]
    return sorts.map(each => ({ partition, ...toKeyRange({ partition: whole, sort: each }) }))
  })
  return ranges.filter(({ from, to }) => to === undefined || from < to)
}

/** IN is as many equalities. */
function expandIn(comparison: AttributeComparison | undefined): AttributeComparison[] {
  if (comparison?.operator !== 'IN') return comparison ? [comparison] : []
  return comparison.values.map(value => ({ ...comparison, operator: '=', values: [value] }))
}

const toKeyConditionPart = ({ name, operator, values }: AttributeComparison): KeyConditionPart => ({
  name,
  operator: operator as KeyConditionPart['operator'],
  values,
})

/** Whether some keys are in two of the ranges. */
function hasOverlap(ranges: readonly ReadRange[]): boolean {
  const sorted = [...ranges].sort((a, b) => (a.from < b.from ? -1 : 1))
  return sorted.some(({ to }, i) => sorted[i + 1] && (to === undefined || sorted[i + 1]!.from < to))
}

/** The ranges by their partitions, where an order is asked for, and within one in the order in which it is read. */
export function sortRanges(ranges: readonly ReadRange[], descending: boolean, reverse: boolean): ReadRange[] {
  const byKey = reverse ? -1 : 1
  return [...ranges].sort((a, b) => {
    const order = compareValues(a.partition!, b.partition!) ?? 0
    if (order !== 0) return descending ? -order : order
    return a.from < b.from ? -byKey : byKey
  })
}
