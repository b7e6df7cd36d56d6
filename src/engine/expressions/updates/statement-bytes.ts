import { countUtf8Bytes, countValueBytes } from '../../../dynamodb/size.js'
import type { ExpressionSlots } from '../binding.js'
import type { DocumentPath, OperandNode, PathElement } from '../parsing/syntax.js'
import type { SetValueNode, UpdateAction } from '../parsing/update-parser.js'

/**
 * The size of an UpdateItem statement, which the service adds when it checks the maximum size of an item. AWS does not
 * document it; these numbers were measured against the service to the byte. Stored values do not count; each clause
 * counts its target and its operands.
 */
const STATEMENT_BYTES = 3
const WRITING_BYTES = 19
const CLEARING_BYTES = 1
const TARGET_STEP_BYTES = 4
const OPERAND_BYTES = 1
const OPERAND_STEP_BYTES = 14
const OPERATOR_BYTES: Record<string, number> = { '+': 34, '-': 37, if_not_exists: 39, list_append: 37 }

export function statementBytesOf(actions: readonly UpdateAction[], slots: ExpressionSlots): number {
  return actions.reduce((sum, action) => sum + actionBytesOf(action, slots), STATEMENT_BYTES)
}

function actionBytesOf(action: UpdateAction, slots: ExpressionSlots): number {
  const target = targetBytesOf(slots.paths[action.path.slot]!)
  if (action.type === 'REMOVE' || action.type === 'DELETE') return CLEARING_BYTES + target
  return WRITING_BYTES + target + operandBytesOf(action.value, slots)
}

function targetBytesOf(path: DocumentPath): number {
  return path.reduce<number>((sum, element) => sum + TARGET_STEP_BYTES + elementBytesOf(element), -TARGET_STEP_BYTES)
}

function operandBytesOf(operand: SetValueNode | OperandNode, slots: ExpressionSlots): number {
  if (operand.type === 'value') return countValueBytes(slots.values[operand.slot]!)
  if (operand.type === 'path')
    return slots.paths[operand.slot]!.reduce<number>(
      (sum, element) => sum + OPERAND_STEP_BYTES + elementBytesOf(element),
      OPERAND_BYTES,
    )
  const operatorBytes = OPERATOR_BYTES[operand.operator]!
  return operand.operands.reduce((sum, inner) => sum + operandBytesOf(inner, slots), operatorBytes)
}

function elementBytesOf(element: PathElement): number {
  return typeof element === 'string' ? countUtf8Bytes(element) : String(element).length
}
