import { type AttributeType, attributeTypeOf } from '../../../dynamodb/attribute-value.js'
import type { ExpressionSlots } from '../binding.js'
import type { SetValueNode, UpdateAction } from '../parsing/update-parser.js'

/** Returns the types of top-level attributes that an update sets, as far as they are known without an item. */
export function inferKnownTypes(
  actions: readonly UpdateAction[],
  slots: ExpressionSlots,
): ReadonlyMap<string, AttributeType> {
  const types = new Map<string, AttributeType>()
  for (const action of actions) {
    const path = slots.paths[action.path.slot]!
    if (path.length > 1 || action.type === 'REMOVE') continue
    const type = inferKnownType(action.value, slots)
    if (type !== undefined) types.set(path[0] as string, type)
  }
  return types
}

function inferKnownType(node: SetValueNode, slots: ExpressionSlots): AttributeType | undefined {
  if (node.type === 'path') return undefined
  if (node.type === 'value') return attributeTypeOf(slots.values[node.slot]!)
  if (node.type === 'operation') return 'N'
  if (node.operator === 'list_append') return 'L'
  return node.operator === 'if_not_exists' ? inferKnownType(node.operands[1]!, slots) : 'N'
}
