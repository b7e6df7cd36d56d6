import { isUint8Array } from 'node:util/types'
import { REQUEST_NESTING_LEVELS } from '../../dynamodb/limits.js'
import { ATTRIBUTE_VALUE_MEMBERS, type Shape } from '../../dynamodb/model/shapes.js'
import { typeFault } from '../../dynamodb/model/type-wording.js'
import { serialization, validation } from '../errors.js'
import { nestingTooDeep } from '../values/intake.js'

/** Throws what the service says of the first value in a request that is not of its shape's type. */
export function checkTypes(shape: Shape, value: unknown, position: 'field' | 'part', level = 0): void {
  const fault = typeFault(shape, value, position)
  if (fault !== undefined) throw serialization(fault)
  switch (shape.kind) {
    case 'structure':
      checkMembers(shape.order, shape.members, value as Record<string, unknown>, level)
      return
    case 'attributeValue':
      checkAttributeValue(value as Record<string, unknown>, level)
      return
    case 'list':
      for (const element of value as unknown[]) {
        if (isAbsent(element)) throw absentElement(shape.element)
        checkTypes(shape.element, element, 'part', level)
      }
      return
    case 'map':
      for (const entry of Object.values(value as object))
        if (!isAbsent(entry)) checkTypes(shape.value, entry, 'part', level)
      return
    case 'blob':
      if (!isUint8Array(value)) throw serialization('only base-64-encoded strings are convertible to bytes')
  }
}

const ATTRIBUTE_TYPES = Object.keys(ATTRIBUTE_VALUE_MEMBERS)

function checkAttributeValue(value: Record<string, unknown>, level: number): void {
  const nested = !isAbsent(value.M) || !isAbsent(value.L)
  if (nested && level >= REQUEST_NESTING_LEVELS) throw nestingTooDeep()
  checkMembers(ATTRIBUTE_TYPES, ATTRIBUTE_VALUE_MEMBERS, value, level + 1)
}

function checkMembers(
  names: readonly string[],
  shapes: Readonly<Record<string, Shape>>,
  values: Record<string, unknown>,
  level: number,
): void {
  for (const name of names) if (!isAbsent(values[name])) checkTypes(shapes[name]!, values[name], 'field', level)
}

/** A null in a list is not dropped as one in a structure is. */
function absentElement(element: Shape) {
  return element.kind === 'attributeValue'
    ? validation('Supplied AttributeValue is empty, must contain exactly one of the supported datatypes')
    : serialization('Unexpected value type in payload')
}

const isAbsent = (value: unknown) => value === undefined || value === null
