import { type AttributeValue, attributeTypeOf, type Item } from '../../dynamodb/attribute-value.js'
import { compareValues, isEqualValue } from '../values/compare-values.js'
import type { ExpressionSlots } from './binding.js'
import type { CallNode, ConditionNode, OperandNode, OperationNode } from './parsing/syntax.js'
import { valueAtPath } from './paths.js'

type Value = AttributeValue | undefined

/** Returns whether a checked condition holds for an item. */
export function isSatisfied(node: ConditionNode, slots: ExpressionSlots, item: Item): boolean {
  switch (node.type) {
    case 'AND':
      for (const part of node.parts) if (!isSatisfied(part, slots, item)) return false
      return true
    case 'OR':
      for (const part of node.parts) if (isSatisfied(part, slots, item)) return true
      return false
    case 'NOT':
      return isSatisfied(node.part, slots, item) === (node.count % 2 === 0)
    case 'operation':
      return isOperationSatisfied(node, slots, item)
    default:
      return isCallSatisfied(node, slots, item)
  }
}

function isOperationSatisfied({ operator, operands }: OperationNode, slots: ExpressionSlots, item: Item): boolean {
  const value = operandValueOf(operands[0]!, slots, item)
  switch (operator) {
    case '=':
      return areEqual(value, operandValueOf(operands[1]!, slots, item))
    case '<>':
      // A missing attribute differs from everything, even from another missing attribute.
      return !areEqual(value, operandValueOf(operands[1]!, slots, item))
    case 'IN':
      return operands.some((choice, i) => i > 0 && areEqual(value, operandValueOf(choice, slots, item)))
    case 'BETWEEN':
      return (
        isOrdered('>=', value, operandValueOf(operands[1]!, slots, item)) &&
        isOrdered('<=', value, operandValueOf(operands[2]!, slots, item))
      )
    default:
      return isOrdered(operator, value, operandValueOf(operands[1]!, slots, item))
  }
}

function areEqual(a: Value, b: Value): boolean {
  return a !== undefined && b !== undefined && isEqualValue(a, b)
}

function isOrdered(operator: OperationNode['operator'], a: Value, b: Value): boolean {
  if (a === undefined || b === undefined) return false
  const order = compareValues(a, b)
  if (order === undefined) return false
  if (operator === '<') return order < 0
  if (operator === '<=') return order <= 0
  return operator === '>' ? order > 0 : order >= 0
}

function isCallSatisfied({ operator, operands }: CallNode, slots: ExpressionSlots, item: Item): boolean {
  const value = operandValueOf(operands[0]!, slots, item)
  switch (operator) {
    case 'attribute_exists':
      return value !== undefined
    case 'attribute_not_exists':
      return value === undefined
    case 'attribute_type':
      return value !== undefined && attributeTypeOf(value) === operandValueOf(operands[1]!, slots, item)!.S
    case 'begins_with':
      return isPrefixed(value, operandValueOf(operands[1]!, slots, item))
    default:
      return isContaining(value, operandValueOf(operands[1]!, slots, item))
  }
}

function isPrefixed(value: Value, prefix: Value): boolean {
  if (value?.S !== undefined) return prefix?.S !== undefined && value.S.startsWith(prefix.S)
  if (value?.B === undefined || prefix?.B === undefined) return false
  return Buffer.compare(value.B.subarray(0, prefix.B.byteLength), prefix.B) === 0
}

function isContaining(value: Value, part: Value): boolean {
  if (value === undefined || part === undefined) return false
  if (value.S !== undefined) return part.S !== undefined && value.S.includes(part.S)
  if (value.L !== undefined) return value.L.some(element => isEqualValue(element, part))
  if (value.SS !== undefined) return part.S !== undefined && value.SS.includes(part.S)
  if (value.NS !== undefined) return part.N !== undefined && value.NS.includes(part.N)
  if (part.B === undefined) return false
  const bytes = part.B
  if (value.BS !== undefined) return value.BS.some(member => Buffer.compare(member, bytes) === 0)
  return value.B !== undefined && toBuffer(value.B).includes(toBuffer(bytes))
}

function toBuffer({ buffer, byteOffset, byteLength }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, byteLength)
}

function operandValueOf(operand: OperandNode, slots: ExpressionSlots, item: Item): Value {
  if (operand.type === 'path') return valueAtPath(item, slots.paths[operand.slot]!)
  if (operand.type === 'value') return slots.values[operand.slot]
  if (operand.operator !== 'size') return { BOOL: isCallSatisfied(operand, slots, item) }
  const size = sizeOf(operandValueOf(operand.operands[0]!, slots, item))
  return size === undefined ? undefined : { N: String(size) }
}

/** Numbers, booleans and nulls have no size. The size of a string is counted in UTF-16 units. */
function sizeOf(value: Value): number | undefined {
  if (value === undefined) return undefined
  if (value.M !== undefined) return Object.keys(value.M).length
  return (value.S ?? value.B ?? value.L ?? value.SS ?? value.NS ?? value.BS)?.length
}
