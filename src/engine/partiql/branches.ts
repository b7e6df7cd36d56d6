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
  /** What it says of the sort key. */
  readonly sort: Comparison | undefined
  /** The attributes that it speaks of. */
  readonly names: ReadonlySet<string>
}

const NAMED: ReadonlySet<string> = new Set(['=', 'IN'])
const SORTED: ReadonlySet<string> = new Set(['=', '<', '<=', '>', '>=', 'BETWEEN', 'begins_with', 'IN'])
/** Beyond so many the clause is read as a filter. */
const BRANCHES_MAX = 1000

/** The branches of a clause, nothing in the place of one that is not read by its key. */
export function branchesOf(
  where: Where,
  partition: KeyAttribute,
  sort: KeyAttribute | undefined,
): readonly (Branch | undefined)[] | undefined {
  const isKey = (node: ConditionNode) => mentions(node, [partition.name, ...(sort ? [sort.name] : [])])
  const groups = alternatives(where.root, isKey)
  return groups?.map(group => branchOf(group, where, partition, sort))
}

/** The branches of a clause each of which is read by its key; none of one that has others too. */
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

const mentions = (node: ConditionNode, names: readonly string[]) => {
  const mentioned = namesIn([node])
  return names.some(name => mentioned.has(name))
}

/** A key is read by one condition: what else is said of it can only be tested, once everything is looked at. */
function branchOf(
  group: readonly ConditionNode[],
  where: Where,
  partition: KeyAttribute,
  sort: KeyAttribute | undefined,
): Branch | undefined {
  const said = ({ name }: KeyAttribute, operators: ReadonlySet<string>) => {
    const conditions = group.filter(node => mentions(node, [name])).map(node => comparisonOf(node, where))
    const [first, ...others] = conditions
    if (!first) return undefined
    const reads = conditions.every(one => one?.name === name && operators.has(one.operator))
    return reads && others.every(one => isSame(first, one!)) ? first : undefined
  }
  const partitions = said(partition, NAMED)
  const sorts = sort && said(sort, SORTED)
  if (!partitions || (sort && !sorts && group.some(node => mentions(node, [sort.name])))) return undefined
  return { partitions: partitions.values, sort: sorts, names: namesIn(group) }
}

function namesIn(nodes: readonly (ConditionNode | OperandNode)[], names = new Set<string>()): ReadonlySet<string> {
  for (const node of nodes) {
    if (node.type === 'path') names.add(node.elements[0] as string)
    else if (node.type === 'NOT') namesIn([node.part], names)
    else if (node.type !== 'value') namesIn('parts' in node ? node.parts : node.operands, names)
  }
  return names
}

/** A list of several values is not the same as any other. */
function isSame(a: Comparison, b: Comparison): boolean {
  const operator = ({ operator, values }: Comparison) => (operator === 'IN' && values.length === 1 ? '=' : operator)
  if (operator(a) === 'IN' || operator(a) !== operator(b)) return false
  return a.values.every((value, i) => equalValues(value, b.values[i]!))
}
