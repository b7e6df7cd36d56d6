import { isUint8Array } from 'node:util/types'
import { ATTRIBUTE_VALUE_MEMBERS, type ListShape, type Shape } from '../../dynamodb/model/shapes.js'
import { typeFault } from '../../dynamodb/model/type-wording.js'
import { serialization } from '../errors.js'
import { nestsTooDeep } from './attribute-values.js'

/**
 * Throws what the service says of the first value in a request that is not of its shape's type. Attribute values that
 * nest too deep are not looked into.
 */
export function checkTypes(shape: Shape, value: unknown, position: 'field' | 'part'): void {
  const fault = typeFault(shape, value, position)
  if (fault !== undefined) throw serialization(fault)
  switch (shape.kind) {
    case 'structure':
      checkMembers(shape.order, shape.members, value as Record<string, unknown>)
      return
    case 'attributeValue':
      if (!nestsTooDeep(value)) checkMembers(ATTRIBUTE_TYPES, ATTRIBUTE_VALUE_MEMBERS, value as Record<string, unknown>)
      return
    case 'list':
      for (const element of value as unknown[]) {
        if (!isAbsent(element)) checkTypes(shape.element, element, 'part')
        else if (!isNullTold(shape)) throw serialization('Unexpected value type in payload')
      }
      return
    case 'map':
      for (const entry of Object.values(value as object)) if (!isAbsent(entry)) checkTypes(shape.value, entry, 'part')
      return
    case 'blob':
      if (!isUint8Array(value)) throw serialization('only base-64-encoded strings are convertible to bytes')
  }
}

const ATTRIBUTE_TYPES = Object.keys(ATTRIBUTE_VALUE_MEMBERS)

/** Lists whose nulls are left to who takes the values, which refuses them. */
const isNullTold = (shape: ListShape) => shape.element.kind === 'attributeValue' || SETS.has(shape)
const SETS: ReadonlySet<Shape> = new Set([
  ATTRIBUTE_VALUE_MEMBERS.SS,
  ATTRIBUTE_VALUE_MEMBERS.NS,
  ATTRIBUTE_VALUE_MEMBERS.BS,
])

function checkMembers(
  names: readonly string[],
  shapes: Readonly<Record<string, Shape>>,
  values: Record<string, unknown>,
): void {
  for (const name of names) if (!isAbsent(values[name])) checkTypes(shapes[name]!, values[name], 'field')
}

const isAbsent = (value: unknown) => value === undefined || value === null
