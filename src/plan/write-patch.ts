import type { AttributeValue } from '../dynamodb/attribute-value.js'
import { formatDecimal, parseDecimal } from '../dynamodb/number.js'
import type { Layout } from '../layout/layout.js'
import type { DeclaredType } from '../layout/slots.js'
import type { DeclaredAttribute } from '../schema/declared.js'
import { Operation } from '../schema/operations.js'
import { identityOf } from './change-values.js'
import { ownKind, referencesOf } from './identity.js'
import type { Change, InPlace, PartChange } from './plan.js'
import { checkWritable, givenIdentity, refusal, type WriteOptions } from './write-given.js'

/** A patch: values and operations by attribute. */
export function givenPatch(
  layout: Layout,
  type: DeclaredType,
  identity: unknown,
  patch: Readonly<Record<string, unknown>>,
  options: WriteOptions,
): Change {
  const change = { ...givenIdentity(type, identity, options), verb: 'update' as const }
  const set: Record<string, AttributeValue> = {}
  const add: Record<string, AttributeValue> = {}
  const inPlace: Record<string, InPlace> = {}
  const remove: string[] = []
  for (const [name, value] of Object.entries(patch)) {
    if (value === undefined) continue
    checkPatched(layout, type, name)
    const part = partOf(type, name, type.attributes[name]!, value)
    if (part.kind === 'set') set[name] = part.value
    else if (part.kind === 'add') add[name] = part.value
    else if (part.kind === 'remove') remove.push(name)
    else inPlace[name] = part
  }
  if ([set, add, inPlace, remove].every(each => Object.keys(each).length === 0))
    throw refusal('write.empty', type, '', 'is given nothing to change: give an attribute')
  return { ...change, set, add, inPlace, remove }
}

function checkPatched(layout: Layout, type: DeclaredType, name: string): void {
  const { partition, sort } = layout.names
  const { keys } = ownKind(layout, type)
  const inKey = [keys[partition]!, keys[sort]!].some(({ slots }) => slots.some(slot => slot.name === name))
  const reference = referencesOf(type).some(each => each.name === name)
  if (inKey || reference || identityOf(type).includes(name))
    throw refusal('write.key', type, name, 'tells which it is, and stays: delete it and create another')
  checkWritable(type, name)
  if (type.attributes[name]!.immutable) throw refusal('write.immutable', type, name, 'is immutable: leave it out')
}

/** A value of a patch: what is stored instead, or how that is changed. */
function partOf(type: DeclaredType, name: string, attribute: DeclaredAttribute, value: unknown): PartChange {
  const path = `${type.name}.${name}`
  if (!(value instanceof Operation)) return { kind: 'set', value: attribute.encode(value, path) }
  const { kind, value: given } = value
  const { kind: of } = attribute
  if (kind === 'remove') {
    if (attribute.optional) return { kind }
    throw refusal('write.missing', type, name, 'is not optional, so it cannot be removed')
  }
  if (kind === 'add') return { kind, value: added(type, name, attribute, given) }
  if (kind === 'within')
    return { kind, parts: partsOf(type, name, attribute, given as Readonly<Record<string, unknown>>) }
  const list = kind === 'append' || kind === 'prepend'
  if (of === (list ? 'list' : 'set'))
    return { kind, value: attribute.encode(list ? given : new Set(given as readonly unknown[]), path) }
  throw refusal('write.operation', type, name, `is a ${of}, which has no ${kind}()`)
}

function partsOf(
  type: DeclaredType,
  name: string,
  { kind, members, element }: DeclaredAttribute,
  patch: Readonly<Record<string, unknown>>,
): Record<string, PartChange> {
  const isMap = kind === 'map' && members !== undefined
  if (!isMap && kind !== 'list') throw refusal('write.operation', type, name, `is a ${kind}, which has no within()`)
  const parts: Record<string, PartChange> = {}
  for (const [part, value] of Object.entries(patch)) {
    if (value === undefined) continue
    const path = isMap ? `${name}.${part}` : `${name}[${part}]`
    // Any element of a list can be taken out.
    const attribute = isMap
      ? Object.hasOwn(members, part)
        ? members[part]
        : undefined
      : { ...element!, optional: true }
    if (!attribute || (!isMap && !/^\d+$/.test(part))) throw refusal('write.unknown', type, path, 'is not declared')
    parts[part] = partOf(type, path, attribute, value)
  }
  if (Object.keys(parts).length === 0) throw refusal('write.empty', type, name, 'is given nothing to change within it')
  return parts
}

function added(type: DeclaredType, name: string, { kind }: DeclaredAttribute, value: unknown): AttributeValue {
  const decimal = /^(number|integer|bigint|decimal)$/.test(kind) ? parseDecimal(String(value)) : undefined
  if (!decimal || (kind === 'integer' && !Number.isSafeInteger(value)))
    throw refusal('write.operation', type, name, `is a ${kind}: ${String(value)} cannot be added to it`)
  return { N: formatDecimal(decimal) }
}
