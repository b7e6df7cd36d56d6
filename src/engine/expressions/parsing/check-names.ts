import { type ExpressionContext, type ExpressionKind, expressionError } from '../expression-errors.js'
import type { CallNode, ConditionNode, OperandNode, OperationNode, PathNode } from './syntax.js'

/** Where a function may occur: as a whole condition, as an operand of a condition, or in an update. */
type FunctionPlace = 'condition' | 'operand' | 'update'

const FUNCTIONS: ReadonlyMap<string, FunctionPlace> = new Map([
  ['attribute_exists', 'condition'],
  ['attribute_not_exists', 'condition'],
  ['attribute_type', 'condition'],
  ['begins_with', 'condition'],
  ['contains', 'condition'],
  ['size', 'operand'],
  ['if_not_exists', 'update'],
  ['list_append', 'update'],
])

export const isFunctionName = (name: string) => FUNCTIONS.has(name)

/** Checks names and functions in the order of the text, a function before its operands. */
export function checkConditionNames(kind: ExpressionKind, node: ConditionNode): void {
  switch (node.type) {
    case 'AND':
    case 'OR':
      for (const part of node.parts) checkConditionNames(kind, part)
      return
    case 'NOT':
      checkConditionNames(kind, node.part)
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
    if (operand.type === 'path') checkPathNames(kind, operand)
    else if (operand.type === 'call') checkConditionCall(kind, operand, 'operand')
  }
}

function checkConditionCall(kind: ExpressionKind, node: CallNode, place: FunctionPlace): void {
  const allowed = FUNCTIONS.get(node.operator)
  if (allowed === undefined) throw unknownFunctionError(kind, node)
  if (allowed === 'update')
    throw expressionError(kind, `The function is not allowed in a condition expression; function: ${node.operator}`)
  if (allowed !== place) throw misplacedFunctionError(kind, node)
  checkConditionOperands(kind, node.operands)
}

export function checkSetNames(kind: ExpressionKind, value: OperandNode | OperationNode): void {
  if (value.type === 'path') checkPathNames(kind, value)
  else if (value.type === 'call') checkUpdateCall(kind, value, true)
  else if (value.type === 'operation') checkUpdateOperands(kind, value.operands)
}

function checkUpdateOperands(kind: ExpressionKind, operands: readonly OperandNode[]): void {
  for (const operand of operands) {
    if (operand.type === 'path') checkPathNames(kind, operand)
    else if (operand.type === 'call') checkUpdateCall(kind, operand, false)
  }
}

function checkUpdateCall(kind: ExpressionKind, node: CallNode, isWhole: boolean): void {
  const allowed = FUNCTIONS.get(node.operator)
  if (allowed === undefined) throw unknownFunctionError(kind, node)
  if (allowed !== 'update')
    throw expressionError(kind, `The function is not allowed in an update expression; function: ${node.operator}`)
  // `list_append` can only be the whole value of a SET, never a part of one.
  if (node.operator === 'list_append' && !isWhole) throw misplacedFunctionError(kind, node)
  checkUpdateOperands(kind, node.operands)
}

export function checkPathNames(kind: ExpressionKind, path: PathNode): void {
  if (path.problem !== undefined) throw expressionError(kind, path.problem)
}

export const unknownFunctionError = (kind: ExpressionContext, { operator }: Pick<CallNode, 'operator'>) =>
  expressionError(kind, `Invalid function name; function: ${operator}`)

const misplacedFunctionError = (kind: ExpressionKind, { operator }: CallNode) =>
  expressionError(kind, `The function is not allowed to be used this way in an expression; function: ${operator}`)
