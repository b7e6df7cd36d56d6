import { type ExpressionKind, fault, type Setting } from './faults.js'
import type { CallNode, ConditionNode, OperandNode, OperationNode, PathNode } from './syntax.js'

/** Where a function may stand: as a whole condition, as an operand of one, or in an update. */
type Place = 'condition' | 'operand' | 'update'

const FUNCTIONS: ReadonlyMap<string, Place> = new Map([
  ['attribute_exists', 'condition'],
  ['attribute_not_exists', 'condition'],
  ['attribute_type', 'condition'],
  ['begins_with', 'condition'],
  ['contains', 'condition'],
  ['size', 'operand'],
  ['if_not_exists', 'update'],
  ['list_append', 'update'],
])

export const isFunction = (name: string) => FUNCTIONS.has(name)

/** Checks names and functions in the order in which they were written, a function before its operands. */
export function checkConditionWords(kind: ExpressionKind, node: ConditionNode): void {
  switch (node.type) {
    case 'AND':
    case 'OR':
      for (const part of node.parts) checkConditionWords(kind, part)
      return
    case 'NOT':
      checkConditionWords(kind, node.part)
      return
    case 'operation':
      checkConditionOperands(kind, node.operands)
      return
    default:
      checkConditionCall(kind, node, 'condition')
  }
}

function checkConditionOperands(kind: ExpressionKind, operands: readonly OperandNode[]): void {
  for (const operand of operands) {
    if (operand.type === 'path') checkPathWords(kind, operand)
    else if (operand.type === 'call') checkConditionCall(kind, operand, 'operand')
  }
}

function checkConditionCall(kind: ExpressionKind, node: CallNode, place: Place): void {
  const allowed = FUNCTIONS.get(node.operator)
  if (allowed === undefined) throw unknownFunction(kind, node)
  if (allowed === 'update')
    throw fault(kind, `The function is not allowed in a condition expression; function: ${node.operator}`)
  if (allowed !== place) throw misplacedFunction(kind, node)
  checkConditionOperands(kind, node.operands)
}

export function checkSetWords(kind: ExpressionKind, value: OperandNode | OperationNode): void {
  if (value.type === 'path') checkPathWords(kind, value)
  else if (value.type === 'call') checkUpdateCall(kind, value, true)
  else if (value.type === 'operation') checkUpdateOperands(kind, value.operands)
}

function checkUpdateOperands(kind: ExpressionKind, operands: readonly OperandNode[]): void {
  for (const operand of operands) {
    if (operand.type === 'path') checkPathWords(kind, operand)
    else if (operand.type === 'call') checkUpdateCall(kind, operand, false)
  }
}

function checkUpdateCall(kind: ExpressionKind, node: CallNode, isWhole: boolean): void {
  const allowed = FUNCTIONS.get(node.operator)
  if (allowed === undefined) throw unknownFunction(kind, node)
  if (allowed !== 'update')
    throw fault(kind, `The function is not allowed in an update expression; function: ${node.operator}`)
  // A list that is put together is what is set, never a part of it.
  if (node.operator === 'list_append' && !isWhole) throw misplacedFunction(kind, node)
  checkUpdateOperands(kind, node.operands)
}

export function checkPathWords(kind: ExpressionKind, path: PathNode): void {
  if (path.fault !== undefined) throw fault(kind, path.fault)
}

export const unknownFunction = (kind: Setting, { operator }: Pick<CallNode, 'operator'>) =>
  fault(kind, `Invalid function name; function: ${operator}`)

const misplacedFunction = (kind: ExpressionKind, { operator }: CallNode) =>
  fault(kind, `The function is not allowed to be used this way in an expression; function: ${operator}`)
