import { isUint8Array } from 'node:util/types'
import { REQUEST_NESTING_LEVELS } from '../../dynamodb/limits.js'

/** Returns whether a value is an object with members of the right types, up to the maximum nesting depth. */
export function isAttributeValue(value: unknown, level = 0): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const members = value as Record<string, unknown>
  for (const type in members) {
    const member = members[type]
    if (!isMember(type, member, level)) return false
  }
  return true
}

function isMember(type: string, member: unknown, level: number): boolean {
  switch (type) {
    case 'S':
    case 'N':
      return typeof member === 'string'
    case 'BOOL':
    case 'NULL':
      return typeof member === 'boolean'
    case 'B':
      return isUint8Array(member)
    case 'M':
      return level < REQUEST_NESTING_LEVELS && isAttributeMap(member, level + 1)
    case 'L':
      return level < REQUEST_NESTING_LEVELS && isAttributeList(member, level + 1)
    case 'SS':
    case 'NS':
      return Array.isArray(member) && member.every(isString)
    case 'BS':
      return Array.isArray(member) && member.every(isBinary)
    default:
      return member !== undefined && member !== null
  }
}

/** A null in a set or in place of a value is rejected later, when values are parsed. */
const isString = (member: unknown) => typeof member === 'string' || member === null
const isBinary = (member: unknown) => isUint8Array(member) || member === null

export function isAttributeMap(map: unknown, level = 0): boolean {
  if (typeof map !== 'object' || map === null || Array.isArray(map)) return false
  const entries = map as Record<string, unknown>
  for (const name in entries) {
    const value = entries[name]
    if (value !== null && !isAttributeValue(value, level)) return false
  }
  return true
}

export function isAttributeList(list: unknown, level = 0): boolean {
  if (!Array.isArray(list)) return false
  for (const element of list) if (element !== null && !isAttributeValue(element, level)) return false
  return true
}

/** Returns whether maps and lists nest deeper than the limit. Terminates for circular values too. */
export function isBeyondNestingLimit(value: unknown, level = 0): boolean {
  if (typeof value !== 'object' || value === null) return false
  const { M, L } = value as { M?: unknown; L?: unknown }
  return [M, L].some(
    members =>
      typeof members === 'object' &&
      members !== null &&
      (level >= REQUEST_NESTING_LEVELS || Object.values(members).some(inner => isBeyondNestingLimit(inner, level + 1))),
  )
}
