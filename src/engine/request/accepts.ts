import { isDate, isUint8Array } from 'node:util/types'
import { type Constraint, keeps } from '../../dynamodb/model/constraints.js'
import type { Shape, StructureShape } from '../../dynamodb/model/shapes.js'
import { isAttributeList, isAttributeMap, isAttributeValue } from './attribute-values.js'

/**
 * Whether a value is right in every way. It says nothing of what is wrong: that is worked out for the few that are, and
 * for those with a null in them that stands for nothing, and is taken out there.
 */
type Accepts = (value: unknown) => boolean

export function compile(shape: Shape): Accepts {
  const kept = compileConstraints(shape.constraints)
  const fits = compileType(shape)
  return kept ? value => fits(value) && kept(value) : fits
}

function compileType(shape: Shape): Accepts {
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
        : compileList(compile(shape.element))
    case 'map':
      return shape.value.kind === 'attributeValue' ? value => isAttributeMap(value) : compileMap(compile(shape.value))
    case 'structure':
      return compileStructure(shape)
    case 'blob':
      return isUint8Array
  }
}

function compileList(accepts: Accepts): Accepts {
  return list => {
    if (!Array.isArray(list)) return false
    for (const element of list) if (!accepts(element)) return false
    return true
  }
}

function compileMap(accepts: Accepts): Accepts {
  return map => {
    if (!isObject(map)) return false
    for (const key in map) {
      const value = map[key]
      if (!accepts(value)) return false
    }
    return true
  }
}

function compileStructure(shape: StructureShape): Accepts {
  const names = Object.keys(shape.members)
  const checks = names.map(name => compile(shape.members[name]!))
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

/** Those of one validator alone are looked at again where all else is right. */
function compileConstraints(all: readonly Constraint[]): Accepts | undefined {
  const constraints = all.filter(({ layer }) => !layer)
  if (constraints.length === 0) return undefined
  return value => {
    for (const constraint of constraints) if (!keeps(constraint, value)) return false
    return true
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
