import type { AttributeValue } from '../../dynamodb/attribute-value.js'
import { validation } from '../errors.js'
import type { Slots } from './binding.js'
import { fault } from './faults.js'
import type { CallNode, ConditionNode, OperationNode, ValueNode } from './syntax.js'

type KeyOperator = '=' | '<' | '<=' | '>' | '>=' | 'BETWEEN' | 'begins_with'

export interface KeyConditionPart {
  readonly name: string
  readonly operator: KeyOperator
  readonly values: readonly AttributeValue[]
}

/** Conditions on attributes, all of which must hold, at most one on each. Which of them are keys is for the query to say. */
export interface KeyCondition {
  readonly parts: readonly KeyConditionPart[]
}

const OPERATORS: ReadonlySet<string> = new Set(['=', '<', '<=', '>', '>=', 'BETWEEN', 'begins_with'])
const MIRRORED: Partial<Record<KeyOperator, KeyOperator>> = { '<': '>', '<=': '>=', '>': '<', '>=': '<=' }

/** Brings a checked condition into parts, or says why it cannot be one on keys. */
export function keyConditionOf(root: ConditionNode, slots: Slots): KeyCondition {
  const parts: KeyConditionPart[] = []
  addParts(root, slots, parts)
  return { parts }
}

function addParts(node: ConditionNode, slots: Slots, parts: KeyConditionPart[]): void {
  if (node.type === 'AND') {
    for (const part of node.parts) addParts(part, slots, parts)
    return
  }
  if (node.type === 'OR' || node.type === 'NOT') throw invalidOperator(node.type)
  if (!OPERATORS.has(node.operator)) throw invalidOperator(node.operator)
  const part = partOf(node, slots)
  if (parts.some(({ name }) => name === part.name))
    throw fault('KeyConditionExpression', 'KeyConditionExpressions must only contain one condition per key')
  parts.push(part)
}

const invalidOperator = (operator: string) => validation(`Invalid operator used in KeyConditionExpression: ${operator}`)

const invalidCondition = (detail: string) => validation(`Invalid condition in KeyConditionExpression: ${detail}`)

function partOf(node: OperationNode | CallNode, slots: Slots): KeyConditionPart {
  const { operands } = node
  const operator = node.operator as KeyOperator
  if ((operator === 'BETWEEN' || operator === 'begins_with') && operands[0]!.type !== 'path')
    throw invalidCondition(`${operator} operator must have the key attribute as its first operand`)
  const place = attributePlace(node)
  if (place === -1) throw invalidCondition('No key attribute specified')
  const name = slots.paths[(operands[place] as { slot: number }).slot]![0] as string
  const values = operands.filter((_, i) => i !== place).map(operand => slots.values[(operand as ValueNode).slot]!)
  return { name, operator: place === 0 ? operator : (MIRRORED[operator] ?? operator), values }
}

/** Which operand is the attribute. */
function attributePlace({ operands }: OperationNode | CallNode): number {
  let place = -1
  operands.forEach((operand, i) => {
    if (operand.type === 'call') throw validation('KeyConditionExpressions cannot contain nested operations')
    if (operand.type === 'value') return
    if (place !== -1) throw invalidCondition('Multiple attribute names used in one condition')
    if (operand.elements.length > 1)
      throw fault('KeyConditionExpression', 'KeyConditionExpressions cannot have conditions on nested attributes')
    place = i
  })
  return place
}
