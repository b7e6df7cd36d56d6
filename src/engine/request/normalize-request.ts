import { REQUEST_NESTING_LEVELS } from '../../dynamodb/limits.js'
import { parseBoolean } from '../../dynamodb/model/booleans.js'
import type { ModelShape } from '../../dynamodb/model/shapes.js'
import { isAttributeValue } from './attribute-values.js'

/**
 * Normalizes a request as the service does: removes nulls except those in place of a value or a condition, removes the
 * fractions of integers, and converts texts that spell booleans.
 */
export function normalizeRequest(shape: ModelShape, value: unknown): unknown {
  switch (shape.kind) {
    case 'structure':
      return normalizeMembers(value, (name, member) =>
        shape.members[name] ? normalizeRequest(shape.members[name]!, member) : member,
      )
    case 'map':
      return normalizeMembers(value, (_, member) => normalizeRequest(shape.value, member), isNullRejected(shape.value))
    case 'list':
      return (value as unknown[]).map(element => (element == null ? null : normalizeRequest(shape.element, element)))
    case 'attributeValue':
      return truncateAtDepthLimit(value) ?? normalizeAttributeValue(value)
    case 'boolean':
      return normalizeBoolean(value)
    case 'integer':
      return Math.max(-INTEGERS, Math.min(Math.trunc(value as number), INTEGERS - 1))
    case 'long':
      return Math.trunc(value as number)
    default:
      return value
  }
}

/** Returns whether the service rejects a null in a map of these shapes instead of ignoring it. */
function isNullRejected(shape: ModelShape): boolean {
  return shape.kind === 'attributeValue' || (shape.kind === 'structure' && shape.name === 'Condition')
}

/** The service's integers have 32 bits. Larger values are clamped. */
const INTEGERS = 2 ** 31

/**
 * Returns a value that nests too deeply, truncated at the depth limit, or undefined for other values. Earlier values
 * may have errors that are reported first, and later ones may be infinite. Values of the wrong type are omitted.
 */
function truncateAtDepthLimit(value: unknown, level = 0): object | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  for (const type of ['M', 'L']) {
    const container = (value as Record<string, unknown>)[type]
    if (typeof container !== 'object' || container === null) continue
    if (level === REQUEST_NESTING_LEVELS) return { [type]: type === 'M' ? {} : [] }
    const members = Object.entries(container)
    for (const [index, [name, member]] of members.entries()) {
      const deep = truncateAtDepthLimit(member, level + 1)
      if (!deep) continue
      const before = members.slice(0, index).filter(([, other]) => isAttributeValue(other, level + 1))
      if (type === 'M') return { M: Object.fromEntries([...before, [name, deep]]) }
      return { L: [...before.map(([, other]) => other), deep] }
    }
  }
  return undefined
}

function normalizeAttributeValue(value: unknown): unknown {
  return normalizeMembers(value, (type, member) => {
    if (type === 'M') return normalizeMembers(member, (_, inner) => normalizeAttributeValue(inner), true)
    if (type === 'L') return (member as unknown[]).map(inner => (inner == null ? null : normalizeAttributeValue(inner)))
    if (type === 'BOOL' || type === 'NULL') return normalizeBoolean(member)
    return Array.isArray(member) ? member.map(element => element ?? null) : member
  })
}

const normalizeBoolean = (value: unknown) => (typeof value === 'string' ? parseBoolean(value) : value)

function normalizeMembers(
  value: unknown,
  normalizeMember: (name: string, member: unknown) => unknown,
  keepsNulls = false,
): object {
  const isPresent = (member: unknown) => member !== undefined && (member !== null || keepsNulls)
  const members = Object.entries(value as object).filter(([, member]) => isPresent(member))
  return Object.fromEntries(
    members.map(([name, member]) => [name, member === null ? null : normalizeMember(name, member)]),
  )
}
