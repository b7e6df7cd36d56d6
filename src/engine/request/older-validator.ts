import { ATTRIBUTE_VALUE_MEMBERS, type ModelShape } from '../../dynamodb/model/shapes.js'
import { isBeyondNestingLimit } from './attribute-values.js'

/** Requests for the older validator whose reason is no longer visible after normalization. */
const MARKED_REQUESTS = new WeakSet<object>()

export const markForOlderValidator = (request: object) => MARKED_REQUESTS.add(request)
export const isMarkedForOlderValidator = (request: object) => MARKED_REQUESTS.has(request)

/**
 * Returns whether a request has a value that the current validator does not support: null, a set with a null, a value
 * without exactly one type, a value that nests too deeply, or a boolean spelled as text. The older validator handles
 * the whole request.
 */
export function hasUnsupportedValue(shape: ModelShape, value: unknown): boolean {
  if (value === undefined || value === null) return false
  switch (shape.kind) {
    case 'structure': {
      const values = value as Record<string, unknown>
      return shape.order.some(name => hasUnsupportedValue(shape.members[name]!, values[name]))
    }
    case 'map':
      return hasAnyUnsupportedValue(shape.value, Object.values(value))
    case 'list':
      return hasAnyUnsupportedValue(shape.element, value as unknown[])
    case 'attributeValue':
      return isBeyondNestingLimit(value) || !hasSingleType(value)
    case 'boolean':
      return typeof value === 'string'
    default:
      return false
  }
}

function hasAnyUnsupportedValue(shape: ModelShape, values: readonly unknown[]): boolean {
  return values.some(value => (value === null ? shape.kind === 'attributeValue' : hasUnsupportedValue(shape, value)))
}

const TYPES = Object.keys(ATTRIBUTE_VALUE_MEMBERS)
const hasNullMember = (set: unknown[] = []) => set.includes(null) || set.includes(undefined)

interface Members {
  readonly M?: object
  readonly L?: object[]
  readonly BOOL?: unknown
  readonly NULL?: unknown
  readonly SS?: unknown[]
  readonly NS?: unknown[]
  readonly BS?: unknown[]
}

function hasSingleType(value: object): boolean {
  const members = value as Record<string, unknown>
  const types = TYPES.filter(type => members[type] !== undefined && members[type] !== null)
  const { M, L, BOOL, NULL, SS, NS, BS } = value as Members
  if (types.length !== 1 || typeof (BOOL ?? NULL) === 'string' || hasNullMember(SS ?? NS ?? BS)) return false
  const inner: (object | null | undefined)[] = [...Object.values(M ?? {}), ...(L ?? [])]
  return inner.every(member => member === undefined || (member !== null && hasSingleType(member)))
}
