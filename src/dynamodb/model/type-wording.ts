import { parseBoolean } from './booleans.js'
import type { MapShape, ModelShape, ScalarShape } from './shapes.js'

const CLASSES = 'com.amazonaws.dynamodb.v20120810'
const UNEXPECTED_STRUCTURE = 'Start of structure or map found where not expected'
const FAILED_CAST =
  'class sun.reflect.generics.reflectiveObjects.ParameterizedTypeImpl cannot be cast to class java.lang.Class ' +
  '(sun.reflect.generics.reflectiveObjects.ParameterizedTypeImpl and java.lang.Class are in module java.base of loader ' +
  "'bootstrap')"

const JAVA_CLASS: Record<ScalarShape['kind'], string> = {
  text: 'java.lang.String',
  integer: 'java.lang.Integer',
  long: 'java.lang.Long',
  double: 'java.lang.Double',
  timestamp: 'java.util.Date',
  boolean: 'java.lang.Boolean',
  blob: 'java.nio.ByteBuffer',
}

type JsonKind = 'text' | 'number' | 'boolean' | 'list' | 'blob' | 'structure'

/** The JSON type that a client would have sent for a value. */
function jsonKindOf(value: unknown): JsonKind {
  switch (typeof value) {
    case 'string':
      return 'text'
    case 'number':
    case 'bigint':
      return 'number'
    case 'boolean':
      return 'boolean'
  }
  if (Array.isArray(value)) return 'list'
  // In JSON requests, a date is a number.
  if (value instanceof Date) return 'number'
  return ArrayBuffer.isView(value) ? 'blob' : 'structure'
}

/**
 * The service's message for a value of the wrong type, without checks of its contents. The service's parser words
 * fields of a structure and elements of a list or map differently.
 */
export function typeErrorOf(shape: ModelShape, value: unknown, position: 'field' | 'part'): string | undefined {
  const actualKind = jsonKindOf(value)
  switch (shape.kind) {
    case 'list':
      if (actualKind === 'list') return undefined
      if (actualKind === 'structure') return UNEXPECTED_STRUCTURE
      return position === 'field' ? 'Unexpected field type' : FAILED_CAST
    case 'map':
      if (actualKind === 'structure') return undefined
      if (actualKind === 'list') return `Unrecognized collection type ${mapClass(shape)}`
      return position === 'field' ? 'Unexpected field type' : FAILED_CAST
    case 'structure':
    case 'attributeValue':
      if (actualKind === 'structure') return undefined
      if (actualKind === 'list') return `Unrecognized collection type class ${classOf(shape)}`
      return position === 'field' ? 'Unexpected field type' : 'Unexpected value type in payload'
    default:
      return scalarErrorOf(shape.kind, actualKind, value)
  }
}

const NUMBERS: ReadonlySet<ScalarShape['kind']> = new Set(['integer', 'long', 'double', 'timestamp'])

function scalarErrorOf(expected: ScalarShape['kind'], actualKind: JsonKind, value: unknown): string | undefined {
  const fits = NUMBERS.has(expected) ? 'number' : expected
  if (actualKind === fits) return undefined
  if (actualKind === 'list') return `Unrecognized collection type class ${JAVA_CLASS[expected]}`
  if (actualKind === 'structure') return UNEXPECTED_STRUCTURE
  if (expected === 'blob') return 'only base-64-encoded strings are convertible to bytes'
  // In JSON requests, bytes are a string.
  if (actualKind === 'blob') return UNEXPECTED_STRUCTURE
  if (expected === 'boolean' && actualKind === 'text')
    return parseBoolean(value as string) === undefined ? 'Unexpected token received from parser' : undefined
  return `${tokenOf(value)} cannot be converted to ${JAVA_CLASS[expected].replace(/^.*\./, '')}`
}

function tokenOf(value: unknown): string {
  if (value === true) return 'TRUE_VALUE'
  if (value === false) return 'FALSE_VALUE'
  if (typeof value === 'string') return 'STRING_VALUE'
  return typeof value === 'bigint' || Number.isInteger(value) ? 'NUMBER_VALUE' : 'DECIMAL_VALUE'
}

const mapClass = (shape: MapShape) => `java.util.Map<java.lang.String, ${classOf(shape.value)}>`

function classOf(shape: ModelShape): string {
  switch (shape.kind) {
    case 'list':
      return `java.util.List<${classOf(shape.element)}>`
    case 'map':
      return mapClass(shape)
    case 'structure':
      return `${CLASSES}.${shape.name}`
    case 'attributeValue':
      return `${CLASSES}.AttributeValue`
    default:
      return JAVA_CLASS[shape.kind]
  }
}
