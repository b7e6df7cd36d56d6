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

/** A range of keys, from inclusive to exclusive, within one partition if that is known. */
export interface ReadRange {
  readonly partition: AttributeValue | undefined
  readonly from: string
  readonly to: string | undefined
}

export const FULL_READ_RANGE: ReadRange = { partition: undefined, from: '', to: undefined }

const RANGES_MAX = 50
/** The maximum number of reads for one page if the ranges come from an IN list. */
const LISTED_READS_PER_PAGE = 10
const TOO_MANY = 'Too many decomposed read operations for a given query.'
const OVERLAP = 'Overlapping conditions with range keys are not supported in where clause'

/** Returns the key ranges of the branches in the order of the text, and checks that no key is too long. */
export function readRangesOf(
  branches: readonly WhereBranch[],
  partition: KeyAttribute,
  sort: KeyAttribute | undefined,
): readonly ReadRange[] {
  const ranges = toReadRanges(branches, partition, sort)
  checkKeyLengths(branches)
  return ranges
}

/** Returns the key ranges of the branches. The service rejects too many ranges, and ranges that overlap. */
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

/**
 * Checks the length of keys, but only if the clause names a single partition and at most one sort key, as the service
 * does.
 */
function checkKeyLengths(branches: readonly WhereBranch[]): void {
  const [partition, ...others] = branches.flatMap(({ partitions }) => partitions)
  if (!partition || others.some(other => !isEqualValue(other, partition))) return
  if (countValueBytes(partition) > PARTITION_KEY_BYTES) throw keyTooLongError('partition')
  const [sort, ...more] = branches.flatMap(({ sort }) => expandIn(sort))
  if (sort && more.length === 0 && sort.values.some(value => countValueBytes(value) > SORT_KEY_BYTES))
    throw keyTooLongError('sort')
}

/** Checks the key values branch by branch, up to the first branch without a key condition, as the service does. */
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

/** Removes values that no key can have. The condition of the branch rejects them. */
function withoutInvalidKeys(branch: WhereBranch, partition: KeyAttribute, sort: KeyAttribute | undefined): WhereBranch {
  const fits = ({ type }: KeyAttribute, value: AttributeValue) => value[type] !== undefined && !emptyKindOf(value)
  return {
    ...branch,
    partitions: branch.partitions.filter(value => fits(partition, value)),
    sort: branch.sort?.values.every(value => fits(sort!, value)) ? branch.sort : undefined,
  }
}

function branchRangesOf({ partitions, sort }: WhereBranch, name: string): ReadRange[] {
  const sorts = sort ? expandIn(sort).map(comparison => [toKeyConditionPart(comparison)]) : [[]]
  const ranges = partitions.flatMap(partition => {
    const whole = [toKeyConditionPart({ name, operator: '=', values: [partition] })]
    return sorts.map(sortPart => ({ partition, ...toKeyRange({ partition: whole, sort: sortPart }) }))
  })
  return ranges.filter(({ from, to }) => to === undefined || from < to)
}

/** Expands IN into equalities. */
function expandIn(comparison: AttributeComparison | undefined): AttributeComparison[] {
  if (comparison?.operator !== 'IN') return comparison ? [comparison] : []
  return comparison.values.map(value => ({ ...comparison, operator: '=', values: [value] }))
}

const toKeyConditionPart = ({ name, operator, values }: AttributeComparison): KeyConditionPart => ({
  name,
  operator: operator as KeyConditionPart['operator'],
  values,
})

/** Returns whether two of the ranges overlap. */
function hasOverlap(ranges: readonly ReadRange[]): boolean {
  const sorted = [...ranges].sort((a, b) => (a.from < b.from ? -1 : 1))
  return sorted.some(({ to }, i) => sorted[i + 1] && (to === undefined || sorted[i + 1]!.from < to))
}

/** Sorts the ranges by partition and, within a partition, in read order. */
export function sortRanges(ranges: readonly ReadRange[], descending: boolean, reverse: boolean): ReadRange[] {
  const byKey = reverse ? -1 : 1
  return [...ranges].sort((a, b) => {
    const order = compareValues(a.partition!, b.partition!) ?? 0
    if (order !== 0) return descending ? -order : order
    return a.from < b.from ? -byKey : byKey
  })
}
