import { ATTRIBUTE_VALUE_MEMBERS, type Shape } from '../../dynamodb/model/shapes.js'
import { nestsTooDeep } from './attribute-values.js'

/** Requests that are left to the older validator for more than can be seen in them now. */
const LEFT = new WeakSet<object>()

export const leaveToOlder = (request: object) => LEFT.add(request)
export const isLeftToOlder = (request: object) => LEFT.has(request)

/**
 * Whether a request holds a value that the service's current validator has no form for, since it is null, has a null
 * in a set, is not of exactly one type, nests too deep, or is a boolean that a text spells. All of such a request is
 * left to the older validator.
 */
export function holdsUnfitValue(shape: Shape, value: unknown): boolean {
  if (value === undefined || value === null) return false
  switch (shape.kind) {
    case 'structure': {
      const values = value as Record<string, unknown>
      return shape.order.some(name => holdsUnfitValue(shape.members[name]!, values[name]))
    }
    case 'map':
      return holdUnfitValue(shape.value, Object.values(value))
    case 'list':
      return holdUnfitValue(shape.element, value as unknown[])
    case 'attributeValue':
      return nestsTooDeep(value) || !isOfOneType(value)
    case 'boolean':
      return typeof value === 'string'
    default:
      return false
  }
}

function holdUnfitValue(shape: Shape, values: readonly unknown[]): boolean {
  return values.some(value => (value === null ? shape.kind === 'attributeValue' : holdsUnfitValue(shape, value)))
}

const TYPES = Object.keys(ATTRIBUTE_VALUE_MEMBERS)
const holdsNull = (set: unknown[] = []) => set.includes(null) || set.includes(undefined)

interface Members {
  readonly M?: object
  readonly L?: object[]
  readonly BOOL?: unknown
  readonly NULL?: unknown
  readonly SS?: unknown[]
  readonly NS?: unknown[]
  readonly BS?: unknown[]
}

function isOfOneType(value: object): boolean {
  const members = value as Record<string, unknown>
  const types = TYPES.filter(type => members[type] !== undefined && members[type] !== null)
  const { M, L, BOOL, NULL, SS, NS, BS } = value as Members
  if (types.length !== 1 || typeof (BOOL ?? NULL) === 'string' || holdsNull(SS ?? NS ?? BS)) return false
  const inner: (object | null | undefined)[] = [...Object.values(M ?? {}), ...(L ?? [])]
  return inner.every(one => one === undefined || (one !== null && isOfOneType(one)))
}
