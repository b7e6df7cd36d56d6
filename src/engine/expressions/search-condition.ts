import type { AttributeValue } from '../../dynamodb/attribute-value.js'
import type { ExpressionSlots } from './binding.js'
import { expressionError } from './expression-errors.js'
import type { ConditionNode, OperationNode } from './parsing/syntax.js'

/** An attribute and its required value. */
export interface SearchEquality {
  readonly name: string
  readonly value: AttributeValue
}

const COMPARATORS: ReadonlySet<string> = new Set(['=', '<>', '<', '<=', '>', '>='])

/** Converts a checked condition into equalities that must all hold, or throws when a search does not support it. */
export function searchEqualitiesOf(node: ConditionNode, slots: ExpressionSlots): readonly SearchEquality[] {
  const equalities = partsOf(node).map(part => equalityOf(part, slots))
  if (new Set(equalities.map(({ name }) => name)).size < equalities.length)
    throw invalidSearchConditionError('SearchConditionExpression must only contain one condition per attribute')
  return equalities
}

function partsOf(node: ConditionNode): readonly OperationNode[] {
  if (node.type === 'AND') return node.parts.flatMap(partsOf)
  if (node.type === 'operation' && COMPARATORS.has(node.operator)) return [node]
  throw invalidSearchConditionError('Invalid operator used in SearchConditionExpression')
}

function equalityOf({ operator, operands }: OperationNode, { paths, values }: ExpressionSlots): SearchEquality {
  const path = operands.find(operand => operand.type === 'path')
  const value = operands.find(operand => operand.type === 'value')
  if (operator !== '=' || !path || !value)
    throw invalidSearchConditionError('Invalid comparator used in SearchConditionExpression')
  const [name, ...inner] = paths[path.slot]!
  if (inner.length > 0)
    throw invalidSearchConditionError('SearchConditionExpression cannot have conditions on nested attributes')
  return { name: name as string, value: values[value.slot]! }
}

const invalidSearchConditionError = (why: string) => expressionError('SearchConditionExpression', why)
