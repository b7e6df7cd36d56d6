import { ATTRIBUTE_VALUE_MEMBERS, type Shape } from '../../dynamodb/model/shapes.js'
import { nestsTooDeep } from './attribute-values.js'

/**
 * Whether a request holds a value that the service's current validator has no form for, since it is not of exactly one
 * type or nests too deep. All of such a request is left to the older validator.
 */
export function holdsUnfitValue(shape: Shape, value: unknown): boolean {
  if (value === undefined || value === null) return false
  switch (shape.kind) {
    case 'structure': {
      const values = value as Record<string, unknown>
      return shape.order.some(name => holdsUnfitValue(shape.members[name]!, values[name]))
    }
    case 'map':
      return Object.values(value).some(entry => holdsUnfitValue(shape.value, entry))
    case 'list':
      return (value as unknown[]).some(element => holdsUnfitValue(shape.element, element))
    case 'attributeValue':
      return nestsTooDeep(value) || !isOfOneType(value)
    default:
      return false
  }
}

const TYPES = Object.keys(ATTRIBUTE_VALUE_MEMBERS)

function isOfOneType(value: object): boolean {
  const members = value as Record<string, unknown>
  const types = TYPES.filter(type => members[type] !== undefined && members[type] !== null)
  const { M = {}, L = [] } = value as { M?: object; L?: object[] }
  return types.length === 1 && [...Object.values(M), ...L].every(isOfOneType)
}
