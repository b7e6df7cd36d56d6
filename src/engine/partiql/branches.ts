import type { AttributeValue } from '../../dynamodb/attribute-value.js'
import type { ConditionNode, OperandNode } from '../expressions/syntax.js'
import type { KeyAttribute } from '../keys/schema.js'
import { equalValues } from '../values/compare.js'
import { type Comparison, comparisonOf } from './key-values.js'
import type { Where } from './where.js'

/** One way in which a WHERE clause can hold, as far as it speaks of a key. */
export interface Branch {
  /** The partitions that it is held to. */
  readonly partitions: readonly AttributeValue[]
  /** What it says of the sort key, each thing once. */
  readonly sorts: readonly Comparison[]
  /** Whether it also says what the sort key is not. */
  readonly excludes: boolean
  /** Whether it says of either key two different things. */
  readonly isTwofold: boolean
  /** The attributes that it speaks of. */
  readonly names: ReadonlySet<string>
}

const SORTED: ReadonlySet<string> = new Set(['=', '<', '<=', '>', '>=', 'BETWEEN', 'begins_with', 'IN'])
/** Beyond so many the clause is read as a filter. */
const BRANCHES_MAX = 1000

/** The branches of a clause, nothing in the place of one that does not name its partitions. */
export function branchesOf(
  where: Where,
  partition: KeyAttribute,
  sort: KeyAttribute | undefined,
): readonly (Branch | undefined)[] | undefined {
  const isKey = (node: ConditionNode) => mentions(node, [partition.name, ...(sort ? [sort.name] : [])])
  const groups = alternatives(where.root, isKey)
  return groups?.map(group => branchOf(group, where, partition, sort))
}

/** The branches of a clause each of which names its partitions; none of one that has others too. */
export function allNamed(branches: readonly (Branch | undefined)[]): readonly Branch[] | undefined {
  const named = branches.filter(branch => branch !== undefined)
  return named.length > 0 && named.length === branches.length ? named : undefined
}

/** The clause as alternatives of conditions that all hold. Alternatives that do not speak of keys stay together. */
function alternatives(node: ConditionNode, isKey: (node: ConditionNode) => boolean): ConditionNode[][] | undefined {
  if (node.type === 'OR' && isKey(node)) {
    const parts = node.parts.map(part => alternatives(part, isKey))
    return parts.some(part => !part) ? undefined : bounded(parts.flatMap(part => part!))
  }
  if (node.type !== 'AND') return [[node]]
  let all: ConditionNode[][] | undefined = [[]]
  for (const part of node.parts) {
    const next = alternatives(part, isKey)
    if (!next || !all) return undefined
    all = bounded(all.flatMap(before => next.map(after => [...before, ...after])))
  }
  return all
}

const bounded = (groups: ConditionNode[][]) => (groups.length > BRANCHES_MAX ? undefined : groups)

function mentions(node: ConditionNode, names: readonly string[]): boolean {
  switch (node.type) {
    case 'AND':
    case 'OR':
      return node.parts.some(part => mentions(part, names))
    case 'NOT':
      return mentions(node.part, names)
    default:
      return node.operands.some(operand => operand.type === 'path' && names.includes(operand.elements[0] as string))
  }
}

function branchOf(
  group: readonly ConditionNode[],
  where: Where,
  partition: KeyAttribute,
  sort: KeyAttribute | undefined,
): Branch | undefined {
  let partitions: readonly AttributeValue[] | undefined
  const sorts: Comparison[] = []
  let excludes = false
  let isTwofold = false
  for (const node of group) {
    const comparison = comparisonOf(node, where)
    if (comparison?.name === partition.name && (comparison.operator === '=' || comparison.operator === 'IN')) {
      const named = partitions ? common(partitions, comparison.values) : comparison.values
      isTwofold ||= partitions !== undefined && named.length < Math.max(partitions.length, comparison.values.length)
      partitions = named
    } else if (!sort || !mentions(node, [sort.name])) continue
    else if (comparison && SORTED.has(comparison.operator)) addOnce(sorts, comparison)
    else excludes = true
  }
  if (!partitions) return undefined
  return { partitions, sorts, excludes, isTwofold: isTwofold || sorts.length > 1, names: namesIn(group) }
}

function namesIn(nodes: readonly (ConditionNode | OperandNode)[], names = new Set<string>()): ReadonlySet<string> {
  for (const node of nodes) {
    if (node.type === 'path') names.add(node.elements[0] as string)
    else if (node.type === 'NOT') namesIn([node.part], names)
    else if (node.type !== 'value') namesIn('parts' in node ? node.parts : node.operands, names)
  }
  return names
}

function common(a: readonly AttributeValue[], b: readonly AttributeValue[]): AttributeValue[] {
  return a.filter(value => b.some(other => equalValues(value, other)))
}

function addOnce(sorts: Comparison[], comparison: Comparison): void {
  const isSame = ({ operator, values }: Comparison) =>
    operator === comparison.operator &&
    values.length === comparison.values.length &&
    values.every((value, i) => equalValues(value, comparison.values[i]!))
  if (!sorts.some(isSame)) sorts.push(comparison)
}
