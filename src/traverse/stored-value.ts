import type { AttributeValue } from '../dynamodb/attribute-value.js'
import { parseDecimal } from '../dynamodb/number.js'
import type { DeclaredType } from '../layout/slots.js'
import type { PlainRow } from '../plan/row.js'
import { json } from '../schema/attributes/json.js'
import { isObject } from '../schema/checks/assertions.js'
import type { DeclaredAttribute } from '../schema/declarations.js'
import { mapValues } from '../schema/map-values.js'

const ANYTHING = json().declared

/** The stored value of a member of a row, as a filter of DynamoDB would see it. */
export function storedMemberOf(type: DeclaredType, row: PlainRow, name: string): AttributeValue | undefined {
  const value = row[name]
  return value === undefined ? undefined : storedValueOf(type.attributes[name]!, value, `${type.name}.${name}`)
}

/** The stored form of a value that was read. Validators do not run again, since they need not accept their output. */
export function storedValueOf(attribute: DeclaredAttribute, value: unknown, path: string): AttributeValue {
  const { kind, element, members, mapped, encodeUnchecked, encode } = attribute
  const storedIn = (inner: DeclaredAttribute) => (each: unknown) => storedValueOf(inner, each, path)
  if (kind === 'validated') return ANYTHING.encode(value, path)
  if (mapped) return storedIn(mapped.inner)(mapped.write(value))
  if (kind === 'list') return { L: (value as readonly unknown[]).map(storedIn(element!)) }
  if (kind === 'embedded') return { M: mapValues(value as PlainRow, storedIn({ ...attribute, kind: 'map' })) }
  if (kind === 'map') {
    const M: Record<string, AttributeValue> = {}
    for (const [name, member] of Object.entries(members!)) {
      const inner = (value as PlainRow)[name]
      if (inner !== undefined) M[member.storedAs ?? name] = storedIn(member)(inner)
    }
    return { M }
  }
  if (kind === 'set') {
    const stored = [...(value as ReadonlySet<unknown>)].map(storedIn(element!))
    const type = Object.keys(stored[0] ?? { S: '' })[0] as 'S'
    return { [`${type}S`]: stored.map(each => each[type]) } as unknown as AttributeValue
  }
  return (encodeUnchecked ?? encode)(value, path)
}

/** Whether something from outside has the shape of a stored value. */
export function isStoredValue(value: unknown): value is AttributeValue {
  const [entry, more] = isObject(value) ? Object.entries(value) : []
  if (!entry || more) return false
  const [type, content] = entry
  const isEvery = (isMember: (member: unknown) => boolean) => Array.isArray(content) && content.every(isMember)
  switch (type) {
    case 'S':
      return isText(content)
    case 'N':
      return isNumberText(content)
    case 'B':
      return content instanceof Uint8Array
    case 'BOOL':
    case 'NULL':
      return typeof content === 'boolean'
    case 'SS':
      return isEvery(isText)
    case 'NS':
      return isEvery(isNumberText)
    case 'BS':
      return isEvery(member => member instanceof Uint8Array)
    case 'L':
      return isEvery(isStoredValue)
    case 'M':
      return isObject(content) && Object.values(content).every(isStoredValue)
    default:
      return false
  }
}

const isText = (content: unknown): boolean => typeof content === 'string'
const isNumberText = (content: unknown): boolean => typeof content === 'string' && parseDecimal(content) !== undefined
