import { REQUEST_NESTING_LEVELS } from '../../dynamodb/limits.js'
import { spelledBoolean } from '../../dynamodb/model/booleans.js'
import type { Shape } from '../../dynamodb/model/shapes.js'
import { isAttributeValue } from './attribute-values.js'

/**
 * A request as the service takes it: without its nulls, which stand for members that are not given, but for those that
 * stand where a value or a condition should; without the fractions of numbers that have none; and with booleans for the
 * texts that spell them.
 */
export function meantBy(shape: Shape, value: unknown): unknown {
  switch (shape.kind) {
    case 'structure':
      return kept(value, (name, member) => (shape.members[name] ? meantBy(shape.members[name]!, member) : member))
    case 'map':
      return kept(value, (_, member) => meantBy(shape.value, member), isNullTold(shape.value))
    case 'list':
      return (value as unknown[]).map(element => (element == null ? null : meantBy(shape.element, element)))
    case 'attributeValue':
      return upToTooDeep(value) ?? attributeValue(value)
    case 'boolean':
      return boolean(value)
    case 'integer':
      return Math.max(-INTEGERS, Math.min(Math.trunc(value as number), INTEGERS - 1))
    case 'long':
      return Math.trunc(value as number)
    default:
      return value
  }
}

/** Whether the service refuses a null among these in a map, and does not take it for one that is not given. */
function isNullTold(shape: Shape): boolean {
  return shape.kind === 'attributeValue' || (shape.kind === 'structure' && shape.name === 'Condition')
}

/** The service's integers have 32 bits: what is beyond them is read as the outermost. */
const INTEGERS = 2 ** 31

/**
 * A value that nests too deep, up to where it does; nothing for another. What comes before may have a fault that is told
 * first, and what comes after may have no end. Types are not looked at in such values: what has a wrong one is left out.
 */
function upToTooDeep(value: unknown, level = 0): object | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  for (const type of ['M', 'L']) {
    const held = (value as Record<string, unknown>)[type]
    if (typeof held !== 'object' || held === null) continue
    if (level === REQUEST_NESTING_LEVELS) return { [type]: type === 'M' ? {} : [] }
    const members = Object.entries(held)
    for (const [index, [name, member]] of members.entries()) {
      const deep = upToTooDeep(member, level + 1)
      if (!deep) continue
      const before = members.slice(0, index).filter(([, other]) => isAttributeValue(other, level + 1))
      if (type === 'M') return { M: Object.fromEntries([...before, [name, deep]]) }
      return { L: [...before.map(([, other]) => other), deep] }
    }
  }
  return undefined
}

function attributeValue(value: unknown): unknown {
  return kept(value, (type, member) => {
    if (type === 'M') return kept(member, (_, inner) => attributeValue(inner), true)
    if (type === 'L') return (member as unknown[]).map(inner => (inner == null ? null : attributeValue(inner)))
    if (type === 'BOOL' || type === 'NULL') return boolean(member)
    return Array.isArray(member) ? member.map(each => each ?? null) : member
  })
}

const boolean = (value: unknown) => (typeof value === 'string' ? spelledBoolean(value) : value)

function kept(value: unknown, meant: (name: string, member: unknown) => unknown, keepsNulls = false): object {
  const isKept = (member: unknown) => member !== undefined && (member !== null || keepsNulls)
  const members = Object.entries(value as object).filter(([, member]) => isKept(member))
  return Object.fromEntries(members.map(([name, member]) => [name, member === null ? null : meant(name, member)]))
}
