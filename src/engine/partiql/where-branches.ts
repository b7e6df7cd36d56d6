import type { AttributeValue } from '../../dynamodb/attribute-value.js'
import type { ConditionNode, OperandNode } from '../expressions/parsing/syntax.js'
import type { KeyAttribute } from '../keys/key-schema.js'
import { isEqualValue } from '../values/compare-values.js'
import { type AttributeComparison, toAttributeComparison } from './statement-key.js'
import type { WhereClause } from './where-clause.js'

/** One alternative of a WHERE clause, as far as it concerns the key. */
export interface WhereBranch {
  /** The partition keys that the alternative is limited to. */
  readonly partitions: readonly AttributeValue[]
  /** The condition on the sort key. */
  readonly sort: AttributeComparison | undefined
  /** The attributes that the alternative mentions. */
  readonly names: ReadonlySet<string>
}

const PARTITION_OPERATORS: ReadonlySet<string> = new Set(['=', 'IN'])
const SORT_OPERATORS: ReadonlySet<string> = new Set(['=', '<', '<=', '>', '>=', 'BETWEEN', 'begins_with', 'IN'])
/** A clause with more alternatives is evaluated as a filter. */
const BRANCHES_MAX = 1000

/** Returns the branches of a clause. A branch without a condition on the partition key is undefined. */
export function whereBranchesOf(
  where: WhereClause,
  partition: KeyAttribute,
  sort: KeyAttribute | undefined,
): readonly (WhereBranch | undefined)[] | undefined {
  const isKey = (node: ConditionNode) => isMentioningAny(node, [partition.name, ...(sort ? [sort.name] : [])])
  const groups = splitAlternatives(where.root, isKey)
  return groups?.map(group => toWhereBranch(group, where, partition, sort))
}

/** Returns the branches if all of them have a condition on the partition key; undefined otherwise. */
export function requireAllKeyed(branches: readonly (WhereBranch | undefined)[]): readonly WhereBranch[] | undefined {
  const named = branches.filter(branch => branch !== undefined)
  return named.length > 0 && named.length === branches.length ? named : undefined
}

/**
 * Splits a clause into alternatives of conjunctions. Alternatives that do not mention a key attribute are not split.
 */
function splitAlternatives(
  node: ConditionNode,
  isKey: (node: ConditionNode) => boolean,
): ConditionNode[][] | undefined {
  if (node.type === 'OR' && isKey(node)) {
    const parts = node.parts.map(part => splitAlternatives(part, isKey))
    return parts.some(part => !part) ? undefined : limitAlternatives(parts.flatMap(part => part!))
  }
  if (node.type !== 'AND') return [[node]]
  let all: ConditionNode[][] | undefined = [[]]
  for (const part of node.parts) {
    const next = splitAlternatives(part, isKey)
    if (!next || !all) return undefined
    all = limitAlternatives(all.flatMap(before => next.map(after => [...before, ...after])))
  }
  return all
}

const limitAlternatives = (groups: ConditionNode[][]) => (groups.length > BRANCHES_MAX ? undefined : groups)

const isMentioningAny = (node: ConditionNode, names: readonly string[]) => {
  const mentioned = collectNames([node])
  return names.some(name => mentioned.has(name))
}

/**
 * Returns the branch of a conjunction. Each key attribute may have only one condition; with several, the key cannot be
 * used for reading.
 */
function toWhereBranch(
  group: readonly ConditionNode[],
  where: WhereClause,
  partition: KeyAttribute,
  sort: KeyAttribute | undefined,
): WhereBranch | undefined {
  const findComparison = ({ name }: KeyAttribute, operators: ReadonlySet<string>) => {
    const conditions = group
      .filter(node => isMentioningAny(node, [name]))
      .map(node => toAttributeComparison(node, where))
    const [first, ...others] = conditions
    if (!first) return undefined
    const reads = conditions.every(comparison => comparison?.name === name && operators.has(comparison.operator))
    return reads && others.every(comparison => isSameComparison(first, comparison!)) ? first : undefined
  }
  const partitions = findComparison(partition, PARTITION_OPERATORS)
  const sorts = sort && findComparison(sort, SORT_OPERATORS)
  if (!partitions || (sort && !sorts && group.some(node => isMentioningAny(node, [sort.name])))) return undefined
  return { partitions: partitions.values, sort: sorts, names: collectNames(group) }
}

function collectNames(nodes: readonly (ConditionNode | OperandNode)[], names = new Set<string>()): ReadonlySet<string> {
  for (const node of nodes) {
    if (node.type === 'path') names.add(node.elements[0] as string)
    else if (node.type === 'NOT') collectNames([node.part], names)
    else if (node.type !== 'value') collectNames('parts' in node ? node.parts : node.operands, names)
  }
  return names
}

/** Compares two conditions. Lists with several values are never the same. */
function isSameComparison(a: AttributeComparison, b: AttributeComparison): boolean {
  const operator = ({ operator, values }: AttributeComparison) =>
    operator === 'IN' && values.length === 1 ? '=' : operator
  if (operator(a) === 'IN' || operator(a) !== operator(b)) return false
  return a.values.every((value, i) => isEqualValue(value, b.values[i]!))
}
