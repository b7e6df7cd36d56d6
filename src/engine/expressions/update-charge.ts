import { utf8Bytes, valueBytes } from '../../dynamodb/size.js'
import type { Slots } from './binding.js'
import type { OperandNode, Path, PathElement } from './syntax.js'
import type { SetValueNode, UpdateAction } from './update-parser.js'

/**
 * What the service counts an UpdateItem's statement for, when it holds it to the largest item: not documented, but
 * measured on it to the byte. What is stored already does not count; each clause counts its target and its operands.
 */
const STATEMENT_BYTES = 3
const WRITING_BYTES = 19
const CLEARING_BYTES = 1
const TARGET_STEP_BYTES = 4
const OPERAND_BYTES = 1
const OPERAND_STEP_BYTES = 14
const OPERATOR_BYTES: Record<string, number> = { '+': 34, '-': 37, if_not_exists: 39, list_append: 37 }

export function statementBytes(actions: readonly UpdateAction[], slots: Slots): number {
  return actions.reduce((sum, action) => sum + actionBytes(action, slots), STATEMENT_BYTES)
}

function actionBytes(action: UpdateAction, slots: Slots): number {
  const target = targetBytes(slots.paths[action.path.slot]!)
  if (action.type === 'REMOVE' || action.type === 'DELETE') return CLEARING_BYTES + target
  return WRITING_BYTES + target + operandBytes(action.value, slots)
}

function targetBytes(path: Path): number {
  return path.reduce<number>((sum, element) => sum + TARGET_STEP_BYTES + elementBytes(element), -TARGET_STEP_BYTES)
}

function operandBytes(operand: SetValueNode | OperandNode, slots: Slots): number {
  if (operand.type === 'value') return valueBytes(slots.values[operand.slot]!)
  if (operand.type === 'path')
    return slots.paths[operand.slot]!.reduce<number>(
      (sum, element) => sum + OPERAND_STEP_BYTES + elementBytes(element),
      OPERAND_BYTES,
    )
  const own = OPERATOR_BYTES[operand.operator]!
  return operand.operands.reduce((sum, inner) => sum + operandBytes(inner, slots), own)
}

function elementBytes(element: PathElement): number {
  return typeof element === 'string' ? utf8Bytes(element) : String(element).length
}
