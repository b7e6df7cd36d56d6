import { type AttributeValue, attributeTypeOf, type Item } from '../../../dynamodb/attribute-value.js'
import { validationError } from '../../errors.js'
import { newBinarySet, newNumberSet, newStringSet } from '../../values/attribute-sets.js'
import { toByteText } from '../../values/binaries.js'
import { addNumbers } from '../../values/numbers.js'
import type { ExpressionSlots } from '../binding.js'
import type { CallNode, OperandNode, OperationNode } from '../parsing/syntax.js'
import type { SetValueNode, UpdateAction } from '../parsing/update-parser.js'
import { valueAtPath } from '../paths.js'

/** Returns the new value of each action's path; undefined removes it. All actions read the item before the update. */
export function computeUpdateResults(
  actions: readonly UpdateAction[],
  slots: ExpressionSlots,
  item: Item,
): readonly (AttributeValue | undefined)[] {
  const results: (AttributeValue | undefined)[] = new Array(actions.length)
  // The service rejects an ADD or DELETE of the wrong type before it evaluates any SET.
  actions.forEach((action, i) => {
    if (action.type !== 'ADD' && action.type !== 'DELETE') return
    const stored = valueAtPath(item, slots.paths[action.path.slot]!)
    const operand = slots.values[action.value.slot]!
    results[i] = action.type === 'ADD' ? addToValue(stored, operand) : deleteFromSet(stored, operand)
  })
  actions.forEach((action, i) => {
    if (action.type === 'SET') results[i] = evaluateSetValue(action.value, slots, item)
  })
  return results
}

const wrongOperandTypeError = () => validationError('An operand in the update expression has an incorrect data type')

function addToValue(stored: AttributeValue | undefined, operand: AttributeValue): AttributeValue {
  if (stored === undefined) return operand
  if (attributeTypeOf(stored) !== attributeTypeOf(operand)) throw wrongOperandTypeError()
  if (operand.N !== undefined) return numberValue(addNumbers(stored.N!, operand.N))
  if (operand.SS !== undefined) return newStringSet([...new Set([...stored.SS!, ...operand.SS])])
  if (operand.NS !== undefined) return newNumberSet([...new Set([...stored.NS!, ...operand.NS])])
  const existingMembers = new Set(stored.BS!.map(toByteText))
  return newBinarySet([...stored.BS!, ...operand.BS!.filter(member => !existingMembers.has(toByteText(member)))])
}

/** A set cannot be empty, so removing the last member removes the attribute. */
function deleteFromSet(stored: AttributeValue | undefined, operand: AttributeValue): AttributeValue | undefined {
  if (stored === undefined) return undefined
  if (attributeTypeOf(stored) !== attributeTypeOf(operand)) throw wrongOperandTypeError()
  if (operand.SS !== undefined) {
    const remaining = excludeMembers(stored.SS!, operand.SS)
    return remaining.length === 0 ? undefined : newStringSet(remaining)
  }
  if (operand.NS !== undefined) {
    const remaining = excludeMembers(stored.NS!, operand.NS)
    return remaining.length === 0 ? undefined : newNumberSet(remaining)
  }
  const removed = new Set(operand.BS!.map(toByteText))
  const remaining = stored.BS!.filter(member => !removed.has(toByteText(member)))
  return remaining.length === 0 ? undefined : newBinarySet(remaining)
}

function excludeMembers(members: readonly string[], excluded: readonly string[]): string[] {
  const set = new Set(excluded)
  return members.filter(member => !set.has(member))
}

function numberValue(N: string): AttributeValue {
  return Object.freeze({ N })
}

function evaluateSetValue(node: SetValueNode, slots: ExpressionSlots, item: Item): AttributeValue {
  if (node.type === 'operation') return evaluateSum(node, slots, item)
  return evaluateOperand(node, slots, item)
}

function evaluateSum(
  { operator, operands }: OperationNode | CallNode,
  slots: ExpressionSlots,
  item: Item,
): AttributeValue {
  const left = evaluateOperand(operands[0]!, slots, item).N
  if (left === undefined) throw wrongOperandTypeError()
  const right = evaluateOperand(operands[1]!, slots, item).N
  if (right === undefined) throw wrongOperandTypeError()
  return numberValue(addNumbers(left, right, operator === '+' ? 1 : -1))
}

function evaluateOperand(node: OperandNode, slots: ExpressionSlots, item: Item): AttributeValue {
  if (node.type === 'value') return slots.values[node.slot]!
  if (node.type === 'call') return evaluateCall(node, slots, item)
  const value = valueAtPath(item, slots.paths[node.slot]!)
  if (value === undefined)
    throw validationError('The provided expression refers to an attribute that does not exist in the item')
  return value
}

function evaluateCall(node: CallNode, slots: ExpressionSlots, item: Item): AttributeValue {
  if (node.operator === 'list_append') return evaluateListAppend(node, slots, item)
  return node.operator === 'if_not_exists' ? evaluateIfNotExists(node, slots, item) : evaluateSum(node, slots, item)
}

/** The recursion is bounded, because the parser limits the nesting of calls. */
function evaluateIfNotExists(
  { operands: [path, other] }: CallNode,
  slots: ExpressionSlots,
  item: Item,
): AttributeValue {
  return valueAtPath(item, slots.paths[(path as { slot: number }).slot]!) ?? evaluateOperand(other!, slots, item)
}

function evaluateListAppend({ operands }: CallNode, slots: ExpressionSlots, item: Item): AttributeValue {
  const first = evaluateOperand(operands[0]!, slots, item).L
  if (first === undefined) throw wrongOperandTypeError()
  const second = evaluateOperand(operands[1]!, slots, item).L
  if (second === undefined) throw wrongOperandTypeError()
  return Object.freeze({ L: Object.freeze([...first, ...second]) as AttributeValue[] })
}
