import { type AttributeValue, type Item, typeOf } from '../../dynamodb/attribute-value.js'
import { validation } from '../errors.js'
import { bytesToText } from '../values/binary.js'
import { addNumbers } from '../values/numbers.js'
import { binarySet, numberSet, stringSet } from '../values/sets.js'
import type { Slots } from './binding.js'
import { valueAt } from './paths.js'
import type { CallNode, OperandNode, OperationNode } from './syntax.js'
import type { SetValueNode, UpdateAction } from './update-parser.js'

/** What each action leaves at its path: a value, or nothing. Each reads the item as it was before the update. */
export function updateResults(
  actions: readonly UpdateAction[],
  slots: Slots,
  item: Item,
): readonly (AttributeValue | undefined)[] {
  const results: (AttributeValue | undefined)[] = new Array(actions.length)
  // The service refuses an ADD or DELETE that does not fit before it looks at what is set.
  actions.forEach((action, i) => {
    if (action.type !== 'ADD' && action.type !== 'DELETE') return
    const stored = valueAt(item, slots.paths[action.path.slot]!)
    const given = slots.values[action.value.slot]!
    results[i] = action.type === 'ADD' ? added(stored, given) : deleted(stored, given)
  })
  actions.forEach((action, i) => {
    if (action.type === 'SET') results[i] = setResult(action.value, slots, item)
  })
  return results
}

const wrongType = () => validation('An operand in the update expression has an incorrect data type')

function added(stored: AttributeValue | undefined, given: AttributeValue): AttributeValue {
  if (stored === undefined) return given
  if (typeOf(stored) !== typeOf(given)) throw wrongType()
  if (given.N !== undefined) return numberValue(addNumbers(stored.N!, given.N))
  if (given.SS !== undefined) return stringSet([...new Set([...stored.SS!, ...given.SS])])
  if (given.NS !== undefined) return numberSet([...new Set([...stored.NS!, ...given.NS])])
  const known = new Set(stored.BS!.map(bytesToText))
  return binarySet([...stored.BS!, ...given.BS!.filter(member => !known.has(bytesToText(member)))])
}

/** A set without its last member is no set: nothing is left. */
function deleted(stored: AttributeValue | undefined, given: AttributeValue): AttributeValue | undefined {
  if (stored === undefined) return undefined
  if (typeOf(stored) !== typeOf(given)) throw wrongType()
  if (given.SS !== undefined) {
    const left = without(stored.SS!, given.SS)
    return left.length === 0 ? undefined : stringSet(left)
  }
  if (given.NS !== undefined) {
    const left = without(stored.NS!, given.NS)
    return left.length === 0 ? undefined : numberSet(left)
  }
  const gone = new Set(given.BS!.map(bytesToText))
  const left = stored.BS!.filter(member => !gone.has(bytesToText(member)))
  return left.length === 0 ? undefined : binarySet(left)
}

function without(members: readonly string[], gone: readonly string[]): string[] {
  const set = new Set(gone)
  return members.filter(member => !set.has(member))
}

function numberValue(N: string): AttributeValue {
  return Object.freeze({ N })
}

function setResult(node: SetValueNode, slots: Slots, item: Item): AttributeValue {
  if (node.type === 'operation') return sum(node, slots, item)
  return operandResult(node, slots, item)
}

function sum({ operator, operands }: OperationNode | CallNode, slots: Slots, item: Item): AttributeValue {
  const left = operandResult(operands[0]!, slots, item).N
  if (left === undefined) throw wrongType()
  const right = operandResult(operands[1]!, slots, item).N
  if (right === undefined) throw wrongType()
  return numberValue(addNumbers(left, right, operator === '+' ? 1 : -1))
}

function operandResult(node: OperandNode, slots: Slots, item: Item): AttributeValue {
  if (node.type === 'value') return slots.values[node.slot]!
  if (node.type === 'call') return callResult(node, slots, item)
  const value = valueAt(item, slots.paths[node.slot]!)
  if (value === undefined)
    throw validation('The provided expression refers to an attribute that does not exist in the item')
  return value
}

function callResult(node: CallNode, slots: Slots, item: Item): AttributeValue {
  if (node.operator === 'list_append') return joined(node, slots, item)
  return node.operator === 'if_not_exists' ? existing(node, slots, item) : sum(node, slots, item)
}

/** Never deep: the parser bounds how far calls nest. */
function existing({ operands: [path, other] }: CallNode, slots: Slots, item: Item): AttributeValue {
  return valueAt(item, slots.paths[(path as { slot: number }).slot]!) ?? operandResult(other!, slots, item)
}

function joined({ operands }: CallNode, slots: Slots, item: Item): AttributeValue {
  const first = operandResult(operands[0]!, slots, item).L
  if (first === undefined) throw wrongType()
  const second = operandResult(operands[1]!, slots, item).L
  if (second === undefined) throw wrongType()
  return Object.freeze({ L: Object.freeze([...first, ...second]) as AttributeValue[] })
}
