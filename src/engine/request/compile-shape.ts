import { isDate, isUint8Array } from 'node:util/types'
import { type Constraint, isSatisfiedBy } from '../../dynamodb/model/constraints.js'
import type { ModelShape, StructureShape } from '../../dynamodb/model/shapes.js'
import { isAttributeList, isAttributeMap, isAttributeValue } from './attribute-values.js'

/**
 * Returns whether a value satisfies its shape. It gives no reason: the few invalid values are checked again in detail,
 * as are values with nulls, which must be removed.
 */
export type ShapePredicate = (value: unknown) => boolean

export function compileShape(shape: ModelShape): ShapePredicate {
  const meetsConstraints = compileConstraints(shape.constraints)
  const hasType = compileType(shape)
  return meetsConstraints ? value => hasType(value) && meetsConstraints(value) : hasType
}

function compileType(shape: ModelShape): ShapePredicate {
  switch (shape.kind) {
    case 'text':
      return value => typeof value === 'string'
    case 'boolean':
      return value => typeof value === 'boolean'
    case 'integer':
    case 'long':
      return value => Number.isInteger(value)
    case 'double':
      return value => typeof value === 'number'
    case 'timestamp':
      return value => isDate(value) || Number.isFinite(value)
    case 'attributeValue':
      return value => isAttributeValue(value)
    case 'list':
      return shape.element.kind === 'attributeValue'
        ? value => isAttributeList(value)
        : compileList(compileShape(shape.element))
    case 'map':
      return shape.value.kind === 'attributeValue'
        ? value => isAttributeMap(value)
        : compileMap(compileShape(shape.value))
    case 'structure':
      return compileStructure(shape)
    case 'blob':
      return isUint8Array
  }
}

function compileList(accepts: ShapePredicate): ShapePredicate {
  return list => {
    if (!Array.isArray(list)) return false
    for (const element of list) if (!accepts(element)) return false
    return true
  }
}

function compileMap(accepts: ShapePredicate): ShapePredicate {
  return map => {
    if (!isObject(map)) return false
    for (const key in map) {
      const value = map[key]
      if (!accepts(value)) return false
    }
    return true
  }
}

function compileStructure(shape: StructureShape): ShapePredicate {
  const names = Object.keys(shape.members)
  const checks = names.map(name => compileShape(shape.members[name]!))
  const required = names.map(name => shape.members[name]!.required === true)
  return structure => {
    if (!isObject(structure)) return false
    for (let i = 0; i < names.length; i++) {
      const value = structure[names[i]!]
      if (value === undefined) {
        if (required[i]) return false
      } else if (!checks[i]!(value)) return false
    }
    return true
  }
}

/** Constraints of only one validator are checked again when all others are satisfied. */
function compileConstraints(all: readonly Constraint[]): ShapePredicate | undefined {
  const constraints = all.filter(({ layer }) => !layer)
  if (constraints.length === 0) return undefined
  return value => {
    for (const constraint of constraints) if (!isSatisfiedBy(constraint, value)) return false
    return true
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
