import { isUint8Array } from 'node:util/types'
import { ATTRIBUTE_VALUE_MEMBERS, type ListShape, type ModelShape } from '../../dynamodb/model/shapes.js'
import { typeErrorOf } from '../../dynamodb/model/type-wording.js'
import { serializationError } from '../errors.js'
import { isBeyondNestingLimit } from './attribute-values.js'

/**
 * Throws the service's error for the first value of the wrong type. Attribute values that nest too deeply are skipped.
 */
export function checkMemberTypes(shape: ModelShape, value: unknown, position: 'field' | 'part'): void {
  const fault = typeErrorOf(shape, value, position)
  if (fault !== undefined) throw serializationError(fault)
  switch (shape.kind) {
    case 'structure':
      checkMembers(shape.order, shape.members, value as Record<string, unknown>)
      return
    case 'attributeValue':
      if (!isBeyondNestingLimit(value))
        checkMembers(ATTRIBUTE_TYPES, ATTRIBUTE_VALUE_MEMBERS, value as Record<string, unknown>)
      return
    case 'list':
      for (const element of value as unknown[]) {
        if (!isAbsent(element)) checkMemberTypes(shape.element, element, 'part')
        else if (!isNullDeferred(shape)) throw serializationError('Unexpected value type in payload')
      }
      return
    case 'map':
      for (const entry of Object.values(value as object))
        if (!isAbsent(entry)) checkMemberTypes(shape.value, entry, 'part')
      return
    case 'blob':
      if (!isUint8Array(value)) throw serializationError('only base-64-encoded strings are convertible to bytes')
  }
}

const ATTRIBUTE_TYPES = Object.keys(ATTRIBUTE_VALUE_MEMBERS)

/** Returns whether nulls in a list are rejected later, when values are parsed. */
const isNullDeferred = (shape: ListShape) => shape.element.kind === 'attributeValue' || SETS.has(shape)
const SETS: ReadonlySet<ModelShape> = new Set([
  ATTRIBUTE_VALUE_MEMBERS.SS,
  ATTRIBUTE_VALUE_MEMBERS.NS,
  ATTRIBUTE_VALUE_MEMBERS.BS,
])

function checkMembers(
  names: readonly string[],
  shapes: Readonly<Record<string, ModelShape>>,
  values: Record<string, unknown>,
): void {
  for (const name of names) if (!isAbsent(values[name])) checkMemberTypes(shapes[name]!, values[name], 'field')
}

const isAbsent = (value: unknown) => value === undefined || value === null
