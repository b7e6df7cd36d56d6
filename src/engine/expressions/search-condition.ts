import type { AttributeValue } from '../../dynamodb/attribute-value.js'
import type { Slots } from './binding.js'
import { fault } from './faults.js'
import type { ConditionNode, OperationNode } from './syntax.js'

/** An attribute and the value that it must have. */
export interface Equality {
  readonly name: string
  readonly value: AttributeValue
  /** Whether it reaches into the attribute. What a search can ask for is a scalar, in which there is nothing. */
  readonly isNested: boolean
}

const COMPARATORS: ReadonlySet<string> = new Set(['=', '<>', '<', '<=', '>', '>='])

/** Brings a checked condition into equalities, all of which must hold, or says why it cannot be one of a search. */
export function equalitiesOf(node: ConditionNode, slots: Slots): readonly Equality[] {
  if (node.type === 'AND') return node.parts.flatMap(part => equalitiesOf(part, slots))
  if (node.type !== 'operation' || !COMPARATORS.has(node.operator)) throw unusable('operator')
  return [equalityOf(node, slots)]
}

const unusable = (what: 'operator' | 'comparator') =>
  fault('SearchConditionExpression', `Invalid ${what} used in SearchConditionExpression`)

function equalityOf({ operator, operands }: OperationNode, { paths, values }: Slots): Equality {
  const path = operands.find(operand => operand.type === 'path')
  const value = operands.find(operand => operand.type === 'value')
  if (operator !== '=' || !path || !value) throw unusable('comparator')
  const [name, ...inner] = paths[path.slot]!
  return { name: name as string, value: values[value.slot]!, isNested: inner.length > 0 }
}
