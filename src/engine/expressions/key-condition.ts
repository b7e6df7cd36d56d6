import type { AttributeValue } from '../../dynamodb/attribute-value.js'
import { validationError } from '../errors.js'
import type { ExpressionSlots } from './binding.js'
import { expressionError } from './expression-errors.js'
import type { CallNode, ConditionNode, OperationNode, ValueNode } from './parsing/syntax.js'

type KeyOperator = '=' | '<' | '<=' | '>' | '>=' | 'BETWEEN' | 'begins_with'

export interface KeyConditionPart {
  readonly name: string
  readonly operator: KeyOperator
  readonly values: readonly AttributeValue[]
}

/** A conjunction of conditions with at most one per attribute. The query checks which attributes are keys. */
export interface KeyConditionExpression {
  readonly parts: readonly KeyConditionPart[]
}

const OPERATORS: ReadonlySet<string> = new Set(['=', '<', '<=', '>', '>=', 'BETWEEN', 'begins_with'])
const MIRRORED: Partial<Record<KeyOperator, KeyOperator>> = { '<': '>', '<=': '>=', '>': '<', '>=': '<=' }

/** Converts a checked condition into its parts, or throws when it is not a valid key condition. */
export function toKeyCondition(root: ConditionNode, slots: ExpressionSlots): KeyConditionExpression {
  const parts: KeyConditionPart[] = []
  addParts(root, slots, parts)
  return { parts }
}

function addParts(node: ConditionNode, slots: ExpressionSlots, parts: KeyConditionPart[]): void {
  if (node.type === 'AND') {
    for (const part of node.parts) addParts(part, slots, parts)
    return
  }
  if (node.type === 'OR' || node.type === 'NOT') throw invalidOperatorError(node.type)
  if (!OPERATORS.has(node.operator)) throw invalidOperatorError(node.operator)
  const part = toKeyConditionPart(node, slots)
  if (parts.some(({ name }) => name === part.name))
    throw expressionError('KeyConditionExpression', 'KeyConditionExpressions must only contain one condition per key')
  parts.push(part)
}

const invalidOperatorError = (operator: string) =>
  validationError(`Invalid operator used in KeyConditionExpression: ${operator}`)

const invalidConditionError = (detail: string) =>
  validationError(`Invalid condition in KeyConditionExpression: ${detail}`)

function toKeyConditionPart(node: OperationNode | CallNode, slots: ExpressionSlots): KeyConditionPart {
  const { operands } = node
  const operator = node.operator as KeyOperator
  if ((operator === 'BETWEEN' || operator === 'begins_with') && operands[0]!.type !== 'path')
    throw invalidConditionError(`${operator} operator must have the key attribute as its first operand`)
  const attributeIndex = findAttributeIndex(node)
  if (attributeIndex === -1) throw invalidConditionError('No key attribute specified')
  const name = slots.paths[(operands[attributeIndex] as { slot: number }).slot]![0] as string
  const values = operands
    .filter((_, i) => i !== attributeIndex)
    .map(operand => slots.values[(operand as ValueNode).slot]!)
  return { name, operator: attributeIndex === 0 ? operator : (MIRRORED[operator] ?? operator), values }
}

/** Returns the index of the operand that is the attribute. */
function findAttributeIndex({ operands }: OperationNode | CallNode): number {
  let found = -1
  operands.forEach((operand, i) => {
    if (operand.type === 'call') throw validationError('KeyConditionExpressions cannot contain nested operations')
    if (operand.type === 'value') return
    if (found !== -1) throw invalidConditionError('Multiple attribute names used in one condition')
    if (operand.elements.length > 1)
      throw expressionError(
        'KeyConditionExpression',
        'KeyConditionExpressions cannot have conditions on nested attributes',
      )
    found = i
  })
  return found
}
